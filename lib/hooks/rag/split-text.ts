export interface Piece {
  readonly text: string;
  /** The first and the last line, from 1. */
  readonly lines: readonly [first: number, last: number];
  /** The headings above its beginning, the outermost first. Empty if there are none. */
  readonly title: string;
}

/** The maximum length of a piece, in UTF-16 units. */
export const LONGEST_PIECE = 1_500;
/** From this length on, a piece ends at an empty line or before a heading. */
const LONG_ENOUGH = 600;
const SHORTEST_SECTION = 200;

const fence = /^\s*(?:```|~~~)/;

/** Splits a text into pieces of complete lines, at headings (of Markdown) and empty lines if possible. Only an overlong line is split. */
export function splitText(text: string, markdown: boolean): readonly Piece[] {
  const pieces: Piece[] = [];
  const titles: string[] = [];
  let [open, length, first, title, fenced] = [[] as string[], 0, 1, '', false];

  function close(last: number): void {
    const whole = open.join('\n');
    if (whole.trim() !== '') pieces.push({ text: whole, lines: [first, last], title });
    [open, length, first] = [[], 0, last + 1];
  }

  for (const [at, line] of text.split(/\r\n|[\n\r]/).entries()) {
    const number = at + 1;
    if (markdown && fence.test(line)) fenced = !fenced;
    const found = markdown && !fenced ? headingOf(line) : undefined;
    if (length + line.length > LONGEST_PIECE || (found && length >= SHORTEST_SECTION)) close(number - 1);
    if (found) {
      titles.length = Math.min(titles.length, found.level - 1);
      titles.push(found.text);
    }
    if (open.length === 0 || (found && open.every((one) => one.trim() === ''))) title = titles.join(' > ');
    if (line.length > LONGEST_PIECE) {
      for (const part of parts(line)) {
        open = [part];
        close(number);
        first = number;
      }
      first = number + 1;
      continue;
    }
    open.push(line);
    length += line.length + 1;
    if (line.trim() === '' && length >= LONG_ENOUGH && !fenced) close(number);
  }
  close(first + open.length - 1);
  return pieces;
}

/** Returns the heading of a line. Parsed without a pattern, because patterns scan long lines repeatedly. */
function headingOf(line: string): { readonly level: number; readonly text: string } | undefined {
  const level = line.length > LONGEST_PIECE ? 0 : (/^#{1,6}(?=\s)/.exec(line)?.[0].length ?? 0);
  if (level === 0) return undefined;
  let end = line.length;
  while (line[end - 1] === '#') end -= 1;
  return { level, text: line.slice(level, end).trim() };
}

/** Splits a line without splitting surrogate pairs. */
function parts(line: string): string[] {
  return line.match(new RegExp(`[^]{1,${LONGEST_PIECE - 1}}(?:(?<![\\uD800-\\uDBFF])|$)|[^]`, 'g')) ?? [];
}
