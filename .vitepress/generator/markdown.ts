import { slug } from './slug.ts';

export interface Heading {
  readonly level: number;
  readonly title: string;
  /** The anchor within its document; a repeated heading gets a number, as on GitHub. */
  readonly anchor: string;
  /** The index of its line. */
  readonly line: number;
}

/** Lists the headings of a document. Lines of code blocks are not headings. */
export function headingsOf(markdown: string): readonly Heading[] {
  const counts = new Map<string, number>();
  return proseLines(markdown).flatMap(([text, line]) => {
    const [, marks, title] = /^(#{1,6}) +(.+?) *$/.exec(text) ?? [];
    if (marks === undefined || title === undefined) return [];
    const base = slug(title);
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return [{ level: marks.length, title, anchor: count === 0 ? base : `${base}-${count}`, line }];
  });
}

/** Applies a change to each line outside code blocks. */
export function mapProse(markdown: string, change: (line: string) => string): string {
  const lines = markdown.split('\n');
  for (const [text, line] of proseLines(markdown)) lines[line] = change(text);
  return lines.join('\n');
}

/** Returns a section: its heading and all lines before the next heading of the same or a higher level. */
export function sectionAt(markdown: string, heading: Heading): string {
  const next = headingsOf(markdown).find(({ line, level }) => line > heading.line && level <= heading.level);
  return markdown.split('\n').slice(heading.line, next?.line).join('\n');
}

/** Returns the lines of a document or section without its first heading, up to the next heading of any level. */
export function introOf(section: string): string {
  const [, next] = headingsOf(section);
  return section.split('\n').slice(1, next?.line).join('\n');
}

/** Raises all headings by some levels. */
export function raise(markdown: string, levels: number): string {
  return mapProse(markdown, (line) =>
    line.replace(/^#+(?= )/, (marks) => marks.slice(Math.min(levels, marks.length - 1))),
  );
}

function proseLines(markdown: string): readonly (readonly [text: string, line: number])[] {
  let fence: string | undefined;
  return markdown.split('\n').flatMap((text, line) => {
    const [, mark] = /^ *(```+|~~~+)/.exec(text) ?? [];
    if (mark === undefined) return fence === undefined ? [[text, line] as const] : [];
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
    return [];
  });
}
