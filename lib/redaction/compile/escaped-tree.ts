import { foldCase } from '../pattern/parse/fold-case.ts';
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

/** The value, letter for letter; each letter that URLs, HTML, JSON or JSON in a string of JSON would escape may stand there escaped. */
export function escapedTree(value: string): Node {
  return { type: 'sequence', items: Array.from(value, ways) };
}

function ways(letter: string): Node {
  const plain = literalTree(letter);
  if (/^[A-Za-z0-9]$/.test(letter)) return plain;
  const items = [plain, anyCase(percent(letter)), anyCase(unicode(letter, '\\')), anyCase(unicode(letter, '\\\\'))];
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
  const names = [`#${code}`, `#0${code}`, `#x${code.toString(16)}`, ...(NAMED[letter] ? [NAMED[letter]] : [])];
  return {
    type: 'sequence',
    items: [literalTree('&'), { type: 'either', items: names.map(anyCase) }, literalTree(';')],
  };
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

/** Hexadecimal digits in either case, and the rest with them: `\U` is no escape, but no harm. */
function anyCase(text: string): Node {
  return {
    type: 'sequence',
    items: Array.from({ length: text.length }, (_, at) => {
      const unit = text.charCodeAt(at);
      return { type: 'set', set: foldCase([unit, unit]) };
    }),
  };
}
