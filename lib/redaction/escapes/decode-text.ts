import { escapeAt } from './escape-at.ts';
import { nextEscapeUnit } from './escape-units.ts';

/** Returns a text with all its escapes decoded. */
export function decodeText(text: string): string {
  let shown = '';
  let from = 0;
  for (let at = nextEscapeUnit(text, 0, text.length); at < text.length; at = nextEscapeUnit(text, at, text.length)) {
    const found = escapeAt(text, at, true, (count) => text.slice(Math.max(0, at - count), at));
    if (found === undefined || found === 'begun') at++;
    else {
      shown += text.slice(from, at) + found.text;
      from = at += found.length;
    }
  }
  return shown + text.slice(from);
}
