import type { Sighting } from '../../compile/sighting.ts';
import { finder } from '../../pattern/finder.ts';
import { isMade, wordShare } from '../is-made.ts';

/** A name, field or number in code, and the code after it. */
const goesOnAsCode = finder(
  /^(?:!{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|!\.|\.|::|->)[\w$]+)*|![01]|\d+)[)}\]]*(?:[;,]?(?:return|var|let|const|else|this|function|get|set|void|throw|case|typeof|new|await|async)(?:\W|$)|[)}\]]{1,3}[;,.?:)}\]]|\(\)|\([\w$"'`]|=>|&&|\|\||===?|!==?|[)\]}]{1,2}[A-Za-z_$.{]|[?:,;][\w$.]+[(=:;,.)}\]?[]|\[|\|(?:null|undefined|string|number|boolean)(?:\W|$)|:\()/,
  /^[{[]\[?[A-Za-z_$]|^!{1,2}[A-Za-z_$][\w$.]*|^![01](?:\W|$)|^[\w$.]+\?[\w$.]+:|^[A-Za-z_$][\w$]*(?:\.[\w$]+)+=[A-Za-z_$]/,
);
/** A sign or a number before a name. Many keys in base64 and UUIDs begin like this. */
const beginsSum = finder(/^\+[A-Za-z_$][\w$.]*[^\w$.]|^[\d.]+[*+/-][A-Za-z_$]/);
/** Names of code are words. */
const MOST_WORDS = 0.75;
const isKey = finder(/^[A-Za-z0-9+/]{16,256}={0,2}$|^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/);
/** Code without blanks, and words that occur only in code. */
const isCode = finder(
  /[;{})][\w$.]*[({=?:]|=>|&&|\|\||[!=]==|\)\.|\bfunction\b|\breturn\b|\bconst\b|\blet\b|\bvar\b|\bthis\.|\bnew\s|\btypeof\b|\bawait\b|\breadonly\b|\bextends\b|\?:\s|\[[a-z]+: ?(?:string|number)$/,
);

/** Returns whether an unquoted value is part of the surrounding code, in which a secret would be quoted. */
export function isExpression(value: string, { match, line }: Sighting): boolean {
  if (goesOnAsCode(value)) return true;
  if (beginsSum(value)) return !isKey(value) || wordShare(value) > MOST_WORDS;
  return !isMade(value) && isCode(`${line.slice(0, line.length - match.length)}${match.slice(0, 32)}`.slice(-200));
}
