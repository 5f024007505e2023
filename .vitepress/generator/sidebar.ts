import type { Guide } from './guides.ts';
import { headingsOf } from './markdown.ts';
import { type Group, groups } from './pages.ts';
import type { ReferencePage } from './reference/reference-pages.ts';

interface Item {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Item[];
}

/** The sidebars by path: pages of hooks list the hooks, all other pages list everything else. Groups cannot be closed. */
export function sidebars(
  hooks: readonly string[],
  guides: readonly Guide[],
  reference: readonly ReferencePage[],
): Readonly<Record<string, readonly Item[]>> {
  const overview = { text: 'Overview', link: '/hooks/' };
  const ofHooks = hooks.map((hook) => ({ text: hook, link: `/hooks/${hook}` }));
  const ofReference = reference.map(({ label, path }) => ({ text: label, link: `/${path}` }));
  return {
    '/hooks/': [{ text: 'Built-in hooks', items: [overview, ...ofHooks] }],
    '/': [
      toItem(groups.start),
      { text: groups.concepts.text, items: conceptsOf(guides) },
      toItem(groups.guides),
      { text: 'Built-in hooks', items: [overview] },
      toItem(groups.integrations),
      { text: 'Reference', items: [{ text: 'API', link: '/api/' }, ...ofReference] },
      toItem(groups.migrating),
      toItem(groups.project),
    ],
  };
}

/** Sections of the page of concepts are entries of their own. */
function conceptsOf(guides: readonly Guide[]): readonly Item[] {
  const page = guides.find(({ path }) => path === 'concepts/index');
  const sections = headingsOf(page?.markdown ?? '').filter(({ level }) => level === 2);
  const anchors = sections.map(({ title, anchor }) => ({ text: title, link: `/concepts/#${anchor}` }));
  const [first, ...others] = linksOf(groups.concepts);
  return [...(first ? [first] : []), ...anchors, ...others];
}

const linksOf = ({ pages }: Group): Item[] =>
  pages.map(({ path, label }) => ({ text: label, link: `/${path.replace(/(?<=^|\/)index$/, '')}` }));
const toItem = (group: Group): Item => ({ text: group.text, items: linksOf(group) });
