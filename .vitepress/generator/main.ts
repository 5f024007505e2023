import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { entryPoints } from './entry-points.ts';
import { readGuides } from './guides.ts';
import { hookPage } from './hook-page.ts';
import { hookSections, overviewOf } from './hook-sections.ts';
import { createLinks } from './links.ts';
import { headingsOf } from './markdown.ts';
import { copy, write } from './output.ts';
import { guidePages, hooksGuide } from './pages.ts';
import { referencePages } from './reference/reference-pages.ts';
import { root } from './root.ts';
import { sidebars } from './sidebar.ts';

/** Languages of files whose ending is not the name of their language. */
const languages: Readonly<Record<string, string>> = { mjs: 'js', jsonl: 'json' };

const hooks = builtIns.map(({ name }) => name).sort();
const links = createLinks();

const guides = readGuides(guidePages);
for (const { path, source, anchors } of guides) links.add(path, source, anchors);

const guide = readFileSync(join(root, hooksGuide), 'utf8');
const overview = overviewOf(guide, hooks);
const sections = hookSections(guide, hooks);
links.add('hooks/index', hooksGuide, new Map(headingsOf(overview).map(({ anchor }) => [anchor, anchor])));
for (const { hook, anchors } of sections) links.add(`hooks/${hook}`, hooksGuide, anchors);

for (const { path, source, markdown } of guides) write(`${path}.md`, links.rewrite(source, markdown));
write('hooks/index.md', links.rewrite(hooksGuide, overview));
for (const entry of builtIns) {
  const section = sections.find(({ hook }) => hook === entry.name)?.markdown ?? '';
  write(`hooks/${entry.name}.md`, hookPage(entry, links.rewrite(hooksGuide, section), overview));
}
const reference = referencePages();
for (const { path, markdown } of reference) write(`${path}.md`, markdown);
write('entry-points.json', JSON.stringify(entryPoints(links), null, 2));
for (const image of links.images) copy(image);
for (const source of links.sources) write(`source/${source}.md`, sourcePage(source));
write('sidebars.json', JSON.stringify(sidebars(hooks, guides, reference), null, 2));

/** A file of code as a page. The search leaves it out. */
function sourcePage(source: string): string {
  const text = readFileSync(join(root, source), 'utf8').trimEnd();
  const ending = extname(source).slice(1);
  const fence = text.includes('```') ? '~~~~' : '```';
  return `---\nsearch: false\noutline: false\n---\n\n# ${source}\n\n${fence}${languages[ending] ?? ending}\n${text}\n${fence}\n`;
}
