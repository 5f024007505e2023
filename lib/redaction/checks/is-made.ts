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
  const { runs, words, numbers, digits, signs, size } = partsOf(text);
  if (runs === 0 || (numbers === 0 && (signs === 0 || runs < 2))) return false;
  // People number what they name, so one number says nothing.
  return (words + (numbers === 1 ? digits : 0)) / size < 0.5;
}

/** How much of a value consists of what could be words, from 0 to 1; separators do not count. */
export function wordShare(value: string): number {
  const { words, size } = partsOf(value.slice(0, READ));
  return words / size;
}

/** Of a text: runs of letters and characters of those that could be words; numbers and digits; signs; all characters but separators. */
function partsOf(text: string) {
  let runs = 0;
  let words = 0;
  let numbers = 0;
  let digits = 0;
  let signs = 0;
  let size = 0;
  for (let at = 0; at < text.length; ) {
    const from = at;
    if (isUpper(text, at)) {
      at++;
      // One capital begins a word; several are one by themselves.
      const more = isLower(text, at) ? isLower : isUpper;
      while (more(text, at)) at++;
    } else while (isLower(text, at)) at++;
    if (at > from) {
      runs++;
      if (at - from > 2 && isWord(text.slice(from, at))) words += at - from;
    } else if (isDigit(text, at)) {
      while (isDigit(text, at)) at++;
      numbers++;
      digits += at - from;
    } else {
      const separates = '_./:-'.includes(text.charAt(at++));
      if (separates) continue;
      signs++;
    }
    size += at - from;
  }
  return { runs, words, numbers, digits, signs, size: Math.max(1, size) };
}

/** One or two letters are in every text that a machine makes; more of them make a word if they can be pronounced. */
const isWord = (run: string): boolean => VOWEL.test(run) && !UNLIKELY.test(run);

const within = (text: string, at: number, first: number, last: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= first && unit <= last;
};
const isUpper = (text: string, at: number): boolean => within(text, at, 65, 90);
const isLower = (text: string, at: number): boolean => within(text, at, 97, 122);
const isDigit = (text: string, at: number): boolean => within(text, at, 48, 57);
