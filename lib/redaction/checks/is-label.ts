import { finder } from '../pattern/finder.ts';
import { isCommonPassword, isLabelWord } from './known-words.ts';

const isCapitalized = finder(/^[A-Z][a-z]+[?!:.…*]{0,3}$/);
/** Names in code and of translations. Two words alone may be anything; their meaning decides. */
const isSnake = finder(
  /^[a-z]+(?:[_:.][a-z]+){2,}$/,
  /^[A-Z]+(?:[_:.][A-Z]+)+$/,
  /^(?:[a-z]+[_:.])?(?:access|auth|code|common|error|field|form|hash|hint|id|input|key|label|login|message|name|pass|password|placeholder|secret|settings|text|title|token|type|user|value)s?(?:[_:.][a-z]+)?$/,
);
const isKebab = finder(
  /^[a-z]{1,12}(?:-[a-z]{1,12}){1,2}$|^(?:[a-z]{1,12}-){1,8}(?:pass|password|secret|token|key|credentials?)$/,
);
const hasDigit = finder(/\d/);
/** A text between two strings: one ends before it, another begins after it. */
const isBetween = finder(/^[,;)\]}][\s\S]*[=:(,[{+]\s*$/, /^[+&.] ?[\w$.()[\]]+ ?[+&.]$/);

/** Returns whether a text is a label of an interface, a name in a program, or code between two strings. */
export function isLabel(value: string): boolean {
  if (isBetween(value)) return true;
  if (isIdeographic(value)) return true;
  if (hasDigit(value) || isCommonPassword(value)) return false;
  if (isCapitalized(value) || isSnake(value) || isKebab(value) || isLabelWord(value.replace(/[?!:.…*\s]{1,9}$/, '')))
    return true;
  return isBeyondAscii(value);
}

/** Returns whether a text has letters of other scripts, which are unusual in passwords: a translation. */
function isBeyondAscii(value: string): boolean {
  let letters = 0;
  let ascii = 0;
  for (let at = 0; at < value.length; at++) {
    if (value.charCodeAt(at) > 127) letters++;
    else ascii++;
  }
  return letters > 0 && (letters > ascii || finderOfMarks(value) === false);
}

/** Returns whether most characters of a text are Chinese, Japanese or Korean: a sentence, which may contain a number. */
function isIdeographic(value: string): boolean {
  const others = value.replace(IDEOGRAPHS, '').length;
  return others * 2 < value.length;
}

const IDEOGRAPHS = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const finderOfMarks = finder(/[!@#$%^&*+=~?]/);
