import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Heading, headingsOf, sectionAt } from './markdown.ts';
import type { GuidePage } from './pages.ts';
import { root } from './root.ts';

/** A page with its Markdown as it is in the repository. */
export interface Guide extends GuidePage {
  readonly markdown: string;
  /** Anchors of the source that are on this page, with their anchors here. */
  readonly anchors: ReadonlyMap<string, string>;
}

/** Reads the guides. A file that has several pages is cut into them by section. */
export function readGuides(pages: readonly GuidePage[]): readonly Guide[] {
  return pages.map((page) => {
    const text = readFileSync(join(root, page.source), 'utf8');
    const elsewhere = pages.flatMap(({ source, sections = [] }) => (source === page.source ? sections : []));
    const markdown = cut(text, page, elsewhere);
    const here = headingsOf(markdown);
    const originals = headingsOf(text).filter((heading) => isOn(heading, text, page, elsewhere));
    const anchors = originals.flatMap(({ anchor, title }, at): [string, string][] => {
      const nth = originals.slice(0, at).filter((one) => one.title === title).length;
      const to = here.filter((one) => one.title === title)[nth];
      return to ? [[anchor, to.anchor]] : [];
    });
    return { ...page, markdown, anchors: new Map(anchors) };
  });
}

function cut(text: string, page: GuidePage, elsewhere: readonly string[]): string {
  if (elsewhere.length === 0) return text;
  const headings = headingsOf(text).filter(({ level }) => level === 2);
  const kept = headings.filter((heading) => isOn(heading, text, page, elsewhere));
  const begin = page.title === undefined ? text.split('\n## ')[0] : `# ${page.title}`;
  return [begin, ...kept.map((heading) => sectionAt(text, heading))].join('\n\n');
}

/** Whether the second-level section of a heading is on a page. */
function isOn(heading: Heading, text: string, { sections }: GuidePage, elsewhere: readonly string[]): boolean {
  const section = headingsOf(text).findLast(({ level, line }) => level === 2 && line <= heading.line)?.anchor;
  if (sections) return section !== undefined && sections.includes(section);
  return section === undefined || !elsewhere.includes(section);
}
