import type { ShellLine, ShellWord } from './shell-command.ts';

/** A word and the findings in it. */
export interface ReadWord extends ShellWord {
  readonly end: number;
  /** The lines of substitutions in it. */
  readonly inner: readonly ShellLine[];
  /** Whether its end was found and all of it was understood. */
  readonly understood: boolean;
}

const ENDS_WORD = /[ \t\n;&|<>()]/;
/** A word without expansions, up to its end. */
const PLAIN = /[\w./:=@%+,-]+(?=[ \t\n;&|<>()]|$)/y;
const NOTHING: readonly ShellLine[] = [];
/** People read these as blanks, shells as letters; the intended meaning is unknown. */
const ODD = /[\s\p{Cc}\p{Cf}]/u;

/** Reads the word that begins at `start`; `parse` reads the lines of substitutions. */
export function readWord(line: string, start: number, parse: (line: string) => ShellLine): ReadWord {
  PLAIN.lastIndex = start;
  if (!PLAIN.test(line)) return readQuoted(line, start, parse);
  const end = PLAIN.lastIndex;
  const raw = line.slice(start, end);
  return { raw, text: raw, known: true, glob: false, end, inner: NOTHING, understood: true };
}

/** Reads a word with quotes, expansions or patterns in it. */
function readQuoted(line: string, start: number, parse: (line: string) => ShellLine): ReadWord {
  let text = '';
  let known = true;
  let glob = false;
  let brace = false;
  let understood = true;
  const inner: ShellLine[] = [];
  let at = start;

  /** Skips past the `close` of the group opened before `at`; `undefined` if there is none. */
  const closing = (from: number, open: string, close: string): number | undefined => {
    let depth = 1;
    for (let index = from; index < line.length; index += 1) {
      if (line[index] === '\\') index += 1;
      else if (line[index] === "'" && open === '(') {
        index = line.indexOf("'", index + 1);
        if (index < 0) return undefined;
      } else if (line[index] === close) {
        depth -= 1;
        if (depth === 0) return index;
      } else if (line[index] === open) depth += 1;
    }
    return undefined;
  };
  const give = (end: number | undefined): void => {
    if (end === undefined) understood = false;
    at = end === undefined ? line.length : end + 1;
  };
  /** A `$` or a backtick at `at`. */
  const expansion = (): void => {
    known = false;
    const next = line[at + 1];
    if (line[at] === '`') {
      const end = line.indexOf('`', at + 1);
      const body = line.slice(at + 1, end < 0 ? undefined : end);
      // A backslash may remove or restore the meaning of a backtick.
      if (body.includes('\\')) understood = false;
      inner.push(parse(body));
      give(end < 0 ? undefined : end);
    } else if (next === '(') {
      const end = closing(at + 2, '(', ')');
      const body = line.slice(at + 2, end);
      if (body.startsWith('(')) understood = false;
      inner.push(parse(body));
      give(end);
    } else if (next === '{') {
      const end = closing(at + 2, '{', '}');
      // Braces count differently in quotes, and an opening one may be literal. `!`, `@P`, an index and a place evaluate a value.
      if (/[$`({'"]|@P$|^!|\[(?![@*\d]*\])|:\s*[A-Za-z_]/.test(line.slice(at + 2, end))) understood = false;
      give(end);
    } else if (next === "'" || next === '"' || next === '[') {
      understood = false;
      at += 1;
    } else if (next !== undefined && /[\w@*#?$!-]/.test(next)) {
      at += 1 + (/^\w+/.exec(line.slice(at + 1))?.[0].length ?? 1);
    } else {
      // A literal dollar.
      known = true;
      text += '$';
      at += 1;
    }
  };
  const doubleQuoted = (): void => {
    at += 1;
    while (at < line.length && line[at] !== '"') {
      if (line[at] === '\\' && /[$`"\\\n]/.test(line[at + 1] ?? '')) {
        if (line[at + 1] !== '\n') text += line[at + 1];
        at += 2;
      } else if (line[at] === '$' || line[at] === '`') {
        const before: boolean = known;
        expansion();
        known &&= before;
      } else text += line[at++];
    }
    if (at >= line.length) understood = false;
    at += 1;
  };

  while (at < line.length && !ENDS_WORD.test(line[at] as string)) {
    const char = line[at] as string;
    if (char === '\\') {
      if (line[at + 1] !== '\n') text += line[at + 1] ?? '';
      at += 2;
    } else if (char === "'") {
      const end = line.indexOf("'", at + 1);
      text += line.slice(at + 1, end < 0 ? undefined : end);
      give(end < 0 ? undefined : end);
    } else if (char === '"') doubleQuoted();
    else if (char === '$' || char === '`') {
      const before: boolean = known;
      expansion();
      known &&= before;
    } else {
      if (ODD.test(char)) understood = false;
      if (/[*?[]/.test(char)) glob = true;
      if (char === '{') brace = true;
      // Unquoted braces with a comma or a range expand to several words.
      if (brace && (char === ',' || (char === '.' && line[at + 1] === '.'))) known = false;
      text += char;
      at += 1;
    }
  }
  const end = Math.min(at, line.length);
  return { raw: line.slice(start, end), text, known, glob, end, inner, understood };
}
