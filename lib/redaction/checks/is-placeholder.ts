import { finder } from '../pattern/finder.ts';
import { isLabelWord } from './words/label-words.ts';

/** Phrases, brackets, masks, and names put together. */
const isStandIn = finder(
  /^(?:your|my|some|any|insert|enter|put|paste|add)[-_ ]|^your|change[-_ ]?(?:me|this|it)(?:$|\W)|replace[-_ ]?(?:me|this|with)|example|placeholder|dummy|redacted|not[-_ ]a[-_ ]|[-_ ]here$|goes[-_ ]here/i,
  /^(?:<.*>|\[.*\]|\{.*\}|\(.*\)|\|.*\|)$|<[A-Za-z][\w -]*>/,
  /\*{3}|•{3}|x{5}|X{5}|\.{3}$|…$|^[-*.•_#xX]+$/,
  /^(?:(?:access|admin|api|app|auth|aws|azure|gcp|github|bearer|client|csrf|current|db|database|header|id|key|login|my|name|new|old|pass|password|passwd|private|pwd|refresh|reset|secret|session|the|token|user|value|x)[-_ .]?){2,}$/i,
);

/** Whether a value stands where a secret will: `changeme`, `<password>`, `your-api-key`, `****`, `[REDACTED:password]`. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  return isOneCharacter(text) || isLabelWord(text) || isStandIn(text);
}

/** Nothing, or one character again and again. */
function isOneCharacter(text: string): boolean {
  for (let at = 1; at < text.length; at++) if (text.charCodeAt(at) !== text.charCodeAt(0)) return false;
  return true;
}
