import { unseen } from '../escapes/escape-units.ts';
import { foldCase } from '../pattern/parse/fold-case.ts';
import { parsePattern } from '../pattern/parse/parse-pattern.ts';
import { literalTree, type Node } from '../pattern/syntax-tree.ts';

const SHORT: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};

const NAMED: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

const LEAST_BROKEN = 8;
/** Invisible characters, or the end of a line. */
const GAP = parsePattern(`(?:[${unseen}]|\\\\?\\r?\\n[ \\t]*)?`).tree;

/** The HTML names of the letters from U+00C0 on. */
const LATIN = new Map(
  `Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times
  Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
  eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`
    .split(/\s+/)
    .map((name, place) => [String.fromCharCode(0xc0 + place), name]),
);

/** Returns a pattern for the value. Each letter that URLs, HTML, JSON or JSON in a JSON string would escape may be escaped. */
export function escapedTree(value: string): Node {
  const letters = Array.from(value);
  // Shorter values are words, which may have other text between their letters.
  const gap = letters.length < LEAST_BROKEN ? [] : [GAP];
  return {
    type: 'sequence',
    items: letters.flatMap((letter, place) => (place === 0 ? [ways(letter)] : [...gap, ways(letter)])),
  };
}

function ways(letter: string): Node {
  const plain = literalTree(letter);
  if (/^[A-Za-z0-9]$/.test(letter)) return plain;
  const items = [
    plain,
    anyCase(percent(letter)),
    anyCase(unicode(letter, '\\')),
    anyCase(unicode(letter, '\\\\')),
    ...octal(letter),
  ];
  if (letter === ' ') items.push(literalTree('+'));
  const short = SHORT[letter];
  if (short !== undefined) {
    const escaped = `\\${short}`;
    items.push(literalTree(escaped), literalTree(JSON.stringify(escaped).slice(1, -1)));
  }
  return { type: 'either', items: [...items, entity(letter)] };
}

/** `&amp;`, `&#38;`, `&#x26;`, `&#039;`. */
function entity(letter: string): Node {
  const code = letter.codePointAt(0)!;
  const named = NAMED[letter] ?? LATIN.get(letter);
  const names = [`#${code}`, `#0${code}`, `#x${code.toString(16)}`, ...(named ? [named] : [])];
  return {
    type: 'sequence',
    items: [literalTree('&'), { type: 'either', items: names.map(anyCase) }, literalTree(';')],
  };
}

/** `\\303\\244`, with one backslash or two; before an ASCII sign a shell also puts a single backslash. */
function octal(letter: string): readonly Node[] {
  const bytes = Array.from(new TextEncoder().encode(letter), (byte) => byte.toString(8).padStart(3, '0'));
  const forms = ['\\', '\\\\'].map((slash) => literalTree(bytes.map((byte) => slash + byte).join('')));
  return letter.length === 1 && letter < '\x7f' && letter >= ' ' ? [...forms, literalTree(`\\${letter}`)] : forms;
}

function percent(letter: string): string {
  return Array.from(new TextEncoder().encode(letter), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function unicode(letter: string, backslash: string): string {
  return letter
    .split('')
    .map((unit) => `${backslash}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Matches hexadecimal digits in either case, together with the rest: `\U` is not an escape, but harmless. */
function anyCase(text: string): Node {
  return {
    type: 'sequence',
    items: Array.from({ length: text.length }, (_, at) => {
      const unit = text.charCodeAt(at);
      return { type: 'set', set: foldCase([unit, unit]) };
    }),
  };
}
