import { foldCase } from '../pattern/parse/fold-case.ts';
import { parsePattern } from '../pattern/parse/parse-pattern.ts';
import { literalTree, type Node } from '../pattern/syntax-tree.ts';
import { base64Trees } from './base64-trees.ts';
import { escapedTree } from './escaped-tree.ts';

/** Text that may be before a byte in hexadecimal digits, and between two of them. */
const BEFORE_BYTE = parsePattern('(?:\\\\{0,2}x|%|0x|[ :,-]|, ?0x)?').tree;

/** Returns the value in all encodings that programs print; each is a separate pattern that matches only the value. */
export function encodedTrees(value: string): readonly Node[] {
  const composed = value.normalize('NFC');
  const forms = [...new Set([value, composed, value.normalize('NFD')])];
  const json = JSON.stringify(value).slice(1, -1);
  const texts = [...new Set([value, json])];
  return [
    ...forms.map(escapedTree),
    ...texts.flatMap((text) => base64Trees(new TextEncoder().encode(text))),
    ...base64Trees(utf16(value)),
    hexTree(new TextEncoder().encode(value)),
    ...['\\', '\\\\'].map((slash) => octalTree(new TextEncoder().encode(value), slash)),
  ];
}

/** Matches digits in either case, with or without a byte prefix: `6b33`, `6b:33`, `\x6b\x33`, `%6b%33`. */
function hexTree(bytes: Uint8Array): Node {
  const items = Array.from(bytes).flatMap((byte, place): readonly Node[] => {
    const digits = byte.toString(16).padStart(2, '0');
    const pair = [0, 1].map((at): Node => {
      const unit = digits.charCodeAt(at);
      return { type: 'set', set: foldCase([unit, unit]) };
    });
    return place === 0 ? pair : [BEFORE_BYTE, ...pair];
  });
  return { type: 'sequence', items };
}

/** `\153\063`. */
function octalTree(bytes: Uint8Array, slash: string): Node {
  return literalTree(Array.from(bytes, (byte) => slash + byte.toString(8).padStart(3, '0')).join(''));
}

/** Encodes in little-endian, as on Windows and in PowerShell. */
function utf16(value: string): Uint8Array {
  const bytes = new Uint8Array(2 * value.length);
  for (let at = 0; at < value.length; at++) {
    bytes[2 * at] = value.charCodeAt(at) & 0xff;
    bytes[2 * at + 1] = value.charCodeAt(at) >> 8;
  }
  return bytes;
}
