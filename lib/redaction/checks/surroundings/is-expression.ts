import type { Sighting } from '../../compile/sighting.ts';
import { finder } from '../../pattern/finder.ts';
import { isMade } from '../is-made.ts';

/** A name, a member or a number of code, and what goes on behind it. */
const goesOnAsCode = finder(
  /^(?:!{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|!\.|\.|::|->)[\w$]+)*|![01]|\d+)[)}\]]*(?:[;,]?(?:return|var|let|const|else|this|function|get|set|void|throw|case|typeof|new|await|async)(?:\W|$)|[)}\]]{1,3}[;,.?:)}\]]|\(\)|\([\w$"'`]|=>|&&|\|\||===?|!==?|[)\]}]{1,2}[A-Za-z_$.{]|[?:,;][\w$.]+[(=:;,.)}\]?[]|\[|\|(?:null|undefined|string|number|boolean)(?:\W|$)|:\()/,
  /^[{[]\[?[A-Za-z_$]|^\+[A-Za-z_$][\w$.]*[^\w$.]|^!{1,2}[A-Za-z_$][\w$.]*|^![01](?:\W|$)|^[\w$.]+\?[\w$.]+:|^[\d.]+[*+/-][A-Za-z_$]|^[A-Za-z_$][\w$]*(?:\.[\w$]+)+=[A-Za-z_$]/,
);
/** Code with no blanks in it, and words that only code has. */
const isCode = finder(
  /[;{})][\w$.]*[({=?:]|=>|&&|\|\||[!=]==|\)\.|\bfunction\b|\breturn\b|\bconst\b|\blet\b|\bvar\b|\bthis\.|\bnew\s|\btypeof\b|\bawait\b|\breadonly\b|\bextends\b|\?:\s|\[[a-z]+: ?(?:string|number)$/,
);

/** Whether a value that nothing encloses is part of the code that it stands in: there a secret would be in quotes. */
export function isExpression(value: string, { match, line }: Sighting): boolean {
  if (goesOnAsCode(value)) return true;
  return !isMade(value) && isCode(`${line.slice(0, line.length - match.length)}${match.slice(0, 32)}`.slice(-200));
}
