import type { ReadWord } from './read-word.ts';

/** The text of a here-document, and where it stands in its line. */
export interface HereDocument {
  readonly text: string;
  /** The end of the line that asks for it. */
  readonly newline: number;
  /** Behind the line that ends it. */
  readonly end: number;
}

/** Signs behind the delimiter that may move where the document begins. */
const MOVING = /["'\\`$(){}#<]/;
/** What a shell evaluates in a document, now or when a program hands the text on. */
const EVALUATED = /[`\\]|\$[^\w@*#?!\s.,;:-]|\$\s*$/;

/** The here-document behind `<<`, where its delimiter ends at `from`; `undefined` where a shell may see another one, or evaluates it. */
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
