import { finder } from '../pattern/finder.ts';
import { isMade } from './is-made.ts';
import { isLabelWord } from './known-words.ts';

/** Phrases, brackets, masks, and compound names. */
const isPlaceholderWord = finder(
  /^your(?:[-_ .]|[a-z]+$)|not[-_ ]a[-_ ]|[-_ ]here$|goes[-_ ]here/i,
  /EXAMPLE(?:KEY|TOKEN)?$/,
  /^(?:<.*>|\[.*\]|\{.*\}|\(.*\)|\|.*\|)$|<[A-Za-z][\w -]*>/,
  /^&lt;.*&gt;\W?$/,
  /\*{3}|•{3}|x{5}|X{5}|\.{3}$|…$|^[-*.•_#xX]+$/,
  /^(?:(?:access|admin|api|app|auth|aws|azure|gcp|github|bearer|client|csrf|current|db|database|header|id|key|login|my|name|new|old|pass|password|passwd|private|pwd|refresh|reset|secret|session|the|token|user|value|x)[-_ .]?){2,}$/i,
);

/** Returns whether a value is a placeholder for a secret: `changeme`, `<password>`, `your-api-key`, `****`, `[REDACTED:password]`. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  return isOneCharacter(text) || isLabelWord(text) || isPlaceholderWord(text) || isPhrase(text);
}

const PHRASE =
  /^(?:your|my|some|any|insert|enter|put|paste|add)[-_ ]|change[-_ ]?(?:me|this|it)(?![a-z])|replace[-_ ]?(?:me|this|with)|example|placeholder|dummy|redacted/i;

/** Returns whether the text is only a phrase for placeholders: `MyExample#77xQ` is a password. */
function isPhrase(text: string): boolean {
  const found = PHRASE.exec(text);
  if (!found) return false;
  const rest = text.slice(0, found.index) + text.slice(found.index + found[0].length);
  return !(rest.length >= 5 && /\d/.test(rest) && /[^A-Za-z0-9_.-]/.test(rest)) && !isMade(rest);
}

/** Returns whether a text is empty or one repeated character. */
function isOneCharacter(text: string): boolean {
  for (let at = 1; at < text.length; at++) if (text.charCodeAt(at) !== text.charCodeAt(0)) return false;
  return true;
}
