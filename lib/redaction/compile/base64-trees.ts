import { unite } from '../pattern/parse/char-set.ts';
import { parsePattern } from '../pattern/parse/parse-pattern.ts';
import type { Node } from '../pattern/syntax-tree.ts';

const COMMON = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ALPHABETS = [`${COMMON}+/`, `${COMMON}-_`];

/** The ends of lines of 64 or 76 characters, including indented ones; the position depends on the text before the value. */
const BREAK = parsePattern('(?:\\r?\\n[ \\t]*)?').tree;

/**
 * Patterns for bytes in base64. The encoding depends on the offset of the value among the surrounding bytes: one pattern for each of the three offsets. Digits
 * shared with neighbours are matched by the bits of the value only. They support both alphabets, and digits wrapped into lines.
 */
export function base64Trees(bytes: Uint8Array): Node[] {
  return [0, 1, 2].map((shift) => {
    const digits: Node[] = [];
    const first = 8 * shift;
    const last = first + 8 * bytes.length;
    for (let bit = first - (first % 6); bit < last; bit += 6) {
      if (digits.length > 0) digits.push(BREAK);
      digits.push(digit(bytes, bit - first));
    }
    return { type: 'sequence', items: digits };
  });
}

/** Returns the digits whose six bits, from `bit` of the value on, agree with the value, if it has bits there. */
function digit(bytes: Uint8Array, bit: number): Node {
  let possible: number[] = Array.from({ length: 64 }, (_, six) => six);
  for (let k = 0; k < 6; k++) {
    const byte = bytes[Math.floor((bit + k) / 8)];
    if (bit + k < 0 || byte === undefined) continue;
    const wanted = (byte >> (7 - ((bit + k) % 8))) & 1;
    possible = possible.filter((six) => ((six >> (5 - k)) & 1) === wanted);
  }
  const units = possible.flatMap((six) => ALPHABETS.map((alphabet) => alphabet.charCodeAt(six)));
  return { type: 'set', set: unite(...units.map((unit) => [unit, unit])) };
}
