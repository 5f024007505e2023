/** Letters that stand together as in a name: one capital and small ones, or capitals. */
const LETTERS = /[A-Z]?[a-z]+|[A-Z]+/g;
const DIGITS = /\d+/g;
const VOWEL = /[aeiouy]/i;
/** What no word of a language that code is written in has. */
const UNLIKELY = /[bcdfghjklmnpqrtvwxz]{4}|q[^u]|[jqvxz][bcdfgjkmpqstvwxz]|[bcdfgkmpt][jqvxz]|[jkqvwxz]$/i;
/** Rows that are typed, or listed to choose from. */
const ROW = /0123456|1234567|abcdefg|qwerty/i;
/** What is read of a value. */
const READ = 512;

/**
 * Whether a value looks like no name, word or number: made by a machine, or chosen so that it cannot be guessed. Its letters stand in an order that no
 * word has, with digits or signs among them.
 */
export function isMade(value: string): boolean {
  const text = value.slice(0, READ);
  if (text.length < 8 || /\s/.test(text) || ROW.test(text)) return false;
  const numbers = text.match(DIGITS) ?? [];
  const runs = text.match(LETTERS) ?? [];
  const signs = text.replace(/[A-Za-z0-9_./:-]/g, '').length;
  if (runs.length === 0 || (numbers.length === 0 && (signs === 0 || runs.length < 2))) return false;
  // People number what they name, so one number says nothing.
  const counted = numbers.length === 1 ? (numbers[0] as string).length : 0;
  return wordShare(text) + counted / sizeOf(text) < 0.5;
}

/** How much of a value consists of what could be words, from 0 to 1; separators do not count. */
export function wordShare(value: string): number {
  const text = value.slice(0, READ);
  const words = (text.match(LETTERS) ?? []).reduce((sum, run) => sum + (isWord(run) ? run.length : 0), 0);
  return words / sizeOf(text);
}

const sizeOf = (text: string): number => Math.max(1, text.replace(/[_./:-]/g, '').length);

/** One or two letters are in every text that a machine makes; more of them make a word if they can be pronounced. */
function isWord(run: string): boolean {
  return run.length > 2 && VOWEL.test(run) && !UNLIKELY.test(run);
}
