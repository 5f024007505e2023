import { type History, unitAt } from './history.ts';

/** The maximum number of characters that `endsEscape` reads before a place. */
export const LONGEST_ESCAPE = 16;

const PUNCTUATION = [
  '09',
  '0a',
  '0d',
  '20',
  '21',
  '22',
  '23',
  '24',
  '25',
  '26',
  '27',
  '28',
  '29',
  '2a',
  '2b',
  '2c',
  '2d',
  '2e',
  '2f',
].concat(['3a', '3b', '3c', '3d', '3e', '3f', '40', '5b', '5c', '5d', '5e', '60', '7b', '7c', '7d', '7e', '1b']);

/** The ends of escapes, in lower case: `\n`, `%22`, `\u003d`, `\x3d`, and colours of a terminal, whose beginning must be searched. */
export const boundaryEnds: readonly string[] = [
  ...['a', 'b', 'f', 'n', 'r', 't', 'v'].map((letter) => `\\${letter}`),
  ...PUNCTUATION.flatMap((code) => [`%${code}`, `\\u00${code}`, `\\x${code}`]),
  ...['m', 'k'].flatMap((end) => ['[', ...'0123456789'].map((digit) => digit + end)),
];

const ESCAPE = 27;
const BRACKET = 91;
const SEMICOLON = 59;
const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

/** Returns whether the terminal colour whose last letter is before `place` begins with an escape, at or after `floor`. */
function isColor(history: History, place: number, floor: number): boolean {
  const least = Math.max(floor, place - LONGEST_ESCAPE);
  let at = place - 2;
  while (at > least && (isDigit(unitAt(history, at)) || unitAt(history, at) === SEMICOLON)) at--;
  return at > least && unitAt(history, at) === BRACKET && unitAt(history, at - 1) === ESCAPE;
}

const BACKSLASH = 92;
const PERCENT = 37;
const SHORT = new Set(Array.from('abfnrtvABFNRTV', (letter) => letter.charCodeAt(0)));
const codes = new Set(PUNCTUATION);

/** Returns whether an escape at or after `floor` ends before `place`. If so, a word begins there, even if the escape ends with a letter. */
export function endsEscape(history: History, place: number, floor: number): boolean {
  const unit = (back: number): number => (place - back < floor ? -1 : unitAt(history, place - back));
  if (unit(2) === BACKSLASH && SHORT.has(unit(1))) return true;
  if (place - floor >= 3 && codes.has(String.fromCharCode(unit(2), unit(1)).toLowerCase())) {
    const before = unit(3);
    if (before === PERCENT) return true;
    if ((before | 32) === 120 && unit(4) === BACKSLASH) return true;
    if (before === 48 && unit(4) === 48 && (unit(5) | 32) === 117 && unit(6) === BACKSLASH) return true;
  }
  return isColor(history, place, floor);
}
