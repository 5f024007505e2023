/** An entry of the navigation that TypeDoc writes: an entry point, a group or a name. */
interface Entry {
  readonly title: string;
  readonly path?: string;
  readonly children?: readonly Entry[];
}

interface Item {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Item[];
}

/** The sidebars of the API reference by path: the names of the entry point that a page belongs to, and all entry points. */
export function apiSidebars(entryPoints: readonly Entry[]): Readonly<Record<string, readonly Item[]>> {
  const all = { text: 'Entry points', items: entryPoints.map(toLink) };
  const ofEntryPoint = (entry: Entry): readonly Item[] => {
    const groups = (entry.children ?? []).map(({ title, children = [] }) => ({
      text: title,
      items: children.map(toLink),
    }));
    return [{ text: entry.title, items: [{ ...toLink(entry), text: 'Overview' }] }, ...groups, all];
  };
  return {
    '/api/': [all],
    ...Object.fromEntries(entryPoints.map((entry) => [`/api/${entry.title}/`, ofEntryPoint(entry)])),
  };
}

const toLink = ({ title, path = '' }: Entry): Item => ({
  text: title,
  link: `/api/${path.replace(/index\.md$/, '')}`,
});
