import type { ReadWord } from './read-word.ts';

/** The text of a here-document, and its place in the line. */
export interface HereDocument {
  readonly text: string;
  /** The end of the line that starts it. */
  readonly newline: number;
  /** The place after the line that ends it. */
  readonly end: number;
}

/** Characters after the delimiter that may move the beginning of the document. */
const MOVING = /["'\\`$(){}#<]/;
/** Text in a document that a shell evaluates, now or when a program passes the text on. */
const EVALUATED = /[`\\]|\$[^\w@*#?!\s.,;:-]|\$\s*$/;

/** Returns the here-document after `<<`, if its delimiter ends at `from`; `undefined` if a shell may find another one, or evaluates it. */
export function hereDocumentAt(
  line: string,
  from: number,
  delimiter: ReadWord,
  stripsTabs: boolean,
): HereDocument | undefined {
  const { raw, text: name, known } = delimiter;
  if (!known || !/^[\w.-]+$/.test(name) || ![name, `'${name}'`, `"${name}"`].includes(raw)) return undefined;
  const newline = line.indexOf('\n', from);
  if (newline < 0 || MOVING.test(line.slice(from, newline))) return undefined;
  for (let start = newline + 1; start < line.length; ) {
    const next = line.indexOf('\n', start);
    const end = next < 0 ? line.length : next;
    const one = line.slice(start, end);
    if ((stripsTabs ? one.replace(/^\t+/, '') : one) === name) {
      const text = line.slice(newline + 1, start);
      return EVALUATED.test(text) ? undefined : { text, newline, end: next < 0 ? end : end + 1 };
    }
    start = end + 1;
  }
  return undefined;
}
