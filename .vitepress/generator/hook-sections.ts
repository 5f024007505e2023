import { type Heading, headingsOf, introOf, raise, sectionAt } from './markdown.ts';

/** The part of the hooks guide about one hook. */
export interface HookSection {
  readonly hook: string;
  readonly markdown: string;
  /** Anchors in the guide whose text is on the page, with the anchors there. The title of the page has the anchor ''. */
  readonly anchors: ReadonlyMap<string, string>;
}

/** The rest of the guide: its introduction, and the sections that are not about a hook. */
export function overviewOf(guide: string, hooks: readonly string[]): string {
  const sections = headingsOf(guide).filter(({ level, title }) => level === 2 && named(title, hooks).length === 0);
  return [guide.split('\n## ')[0], ...sections.map((heading) => sectionAt(guide, heading))].join('\n\n');
}

/** Cuts a guide whose second-level headings name one or several hooks: "rag", "tool-retry and tool-cache". */
export function hookSections(guide: string, hooks: readonly string[]): readonly HookSection[] {
  const headings = headingsOf(guide);
  const found = headings.flatMap((heading): HookSection[] => {
    const names = heading.level === 2 ? named(heading.title, hooks) : [];
    const inside = headingsWithin(headings, heading);
    return names.map((hook) =>
      names.length === 1 ? whole(guide, hook, heading, inside) : part(guide, hook, heading, inside),
    );
  });
  const missing = hooks.filter((hook) => !found.some((section) => section.hook === hook));
  if (missing.length > 0) throw new Error(`The hooks guide has no section about ${missing.join(', ')}`);
  return found;
}

function whole(guide: string, hook: string, heading: Heading, inside: readonly Heading[]): HookSection {
  const markdown = raise(bodyOf(sectionAt(guide, heading)), 1);
  return { hook, markdown, anchors: anchorsOf(heading, inside, markdown) };
}

/** A section about several hooks: the subsection about this one around the common introduction, then the common subsections. */
function part(guide: string, hook: string, heading: Heading, inside: readonly Heading[]): HookSection {
  const own = inside.find(({ level, title }) => level === 3 && title === hook);
  if (!own) throw new Error(`"${heading.title}" of the hooks guide has no subsection "${hook}"`);
  const others = heading.title.split(/, | and /).filter((name) => name !== hook);
  const common = inside.filter(({ level, title }) => level === 3 && title !== hook && !others.includes(title));
  const [lead = '', ...rest] = bodyOf(sectionAt(guide, own)).trim().split('\n\n');
  const shared = common.map((one) => withoutItems(raise(sectionAt(guide, one), 1), others));
  const markdown = [lead, introOf(sectionAt(guide, heading)), ...rest, ...shared].join('\n\n');
  return { hook, markdown, anchors: anchorsOf(heading, [own, ...common], markdown, own) };
}

/** Leaves out the items of a list that begin with the name of another hook, and the section if nothing remains. */
function withoutItems(section: string, hooks: readonly string[]): string {
  const rest = hooks.reduce(
    (text, hook) => text.replaceAll(new RegExp(`^- \`${hook}\`.*\n?(?: .*\n?)*`, 'gm'), ''),
    section,
  );
  return bodyOf(rest).trim() === '' ? '' : rest;
}

const bodyOf = (section: string) => section.split('\n').slice(1).join('\n');

function anchorsOf(
  heading: Heading,
  inside: readonly Heading[],
  markdown: string,
  own?: Heading,
): ReadonlyMap<string, string> {
  const here = headingsOf(markdown);
  const titles = [heading, ...(own ? [own] : [])].map(({ anchor }) => [anchor, ''] as const);
  const others = inside.flatMap(({ title, anchor }) => {
    const to = here.find((one) => one.title === title);
    return to ? [[anchor, to.anchor] as const] : [];
  });
  return new Map([...titles, ...others]);
}

function headingsWithin(headings: readonly Heading[], heading: Heading): readonly Heading[] {
  const after = headings.filter(({ line }) => line > heading.line);
  const end = after.findIndex(({ level }) => level <= heading.level);
  return after.slice(0, end === -1 ? undefined : end);
}

function named(title: string, hooks: readonly string[]): readonly string[] {
  const words = title.split(/, | and /);
  return words.every((word) => hooks.includes(word)) ? words : [];
}
