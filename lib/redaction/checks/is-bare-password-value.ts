import { finder } from '../pattern/finder.ts';
import { wordShare } from './is-made.ts';
import { isPasswordValue } from './is-password-value.ts';
import { isBareReference } from './is-reference.ts';
import { isCommonPassword } from './known-words.ts';

const isRowOfWords = finder(/^[a-z]{2,10}(?:-[a-z]{2,10}){3,7}$/i);
const hasWordsOfCode = finder(
  /(?:^|-)(?:pass|password|secret|token|key|auth|user|login|field|form|input|reset|forgot|change|hint|label|name|file|value|with|and|for|the|of|to|is|not|must)(?:-|$)/i,
);

/** Returns whether an unquoted value assigned to a password is one: code and prose contain many words that are not. */
export function isBarePasswordValue(value: string): boolean {
  if (isCommonPassword(value)) return true;
  if (isRowOfWords(value)) return isPassphrase(value);
  return isPasswordValue(value) && (!isBareReference(value) || isScrambled(value));
}

/** Matches four or more words joined by dashes, none of which is about passwords or code. */
export function isPassphrase(value: string): boolean {
  return isRowOfWords(value) && !hasWordsOfCode(value);
}

/** From this length on, a name consists of words. */
const LONG = 16;
const MOST_WORDS = 0.5;

/** Returns whether a text has only letters, with upper and lower case mixed as in no name. */
function isScrambled(value: string): boolean {
  if (value.length >= LONG && /^[A-Za-z_-]{16,256}$/.test(value) && wordShare(value) < MOST_WORDS) return true;
  if (value.length < 9 || !/^[A-Za-z]{9,256}$/.test(value)) return false;
  let turns = 0;
  for (let at = 1; at < value.length; at++) {
    if (value.charCodeAt(at) < 91 !== value.charCodeAt(at - 1) < 91) turns++;
  }
  return turns * 2 > value.length;
}
