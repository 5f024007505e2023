import { hmacSha256 } from '../../hashes/sha256.ts';

const KINDS = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Returns the value with each ASCII letter and digit replaced by another of its kind, chosen by the key and the whole value; other letters become `x`. */
export function keepFormat(key: string, value: string): string {
  let stream = new Uint8Array();
  let next = 0;
  let block = 0;
  let shown = '';
  for (const letter of value) {
    const kind = KINDS.find((letters) => letters.includes(letter));
    if (!kind) {
      shown += letter.charCodeAt(0) < 128 ? letter : 'x';
      continue;
    }
    if (next + 1 >= stream.length) {
      stream = Uint8Array.from(hmacSha256(key, `${block++}:${value}`));
      next = 0;
    }
    shown += kind[(stream[next]! * 256 + stream[next + 1]!) % kind.length];
    next += 2;
  }
  return shown;
}
