import { sha256 } from '../../../hashes/sha256.ts';

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** A version, a private key, an optional flag for a compressed public key, a checksum of four bytes. */
const LENGTHS = [37, 38];
const CHECKSUM = 4;

/** Returns whether a text is a private key in the wallet import format: base58 with a valid checksum. */
export function isWalletKey(text: string): boolean {
  const bytes = fromBase58(text);
  if (!bytes || !LENGTHS.includes(bytes.length)) return false;
  const sum = sha256(sha256(bytes.subarray(0, -CHECKSUM)));
  return bytes.subarray(-CHECKSUM).every((byte, at) => byte === sum[at]);
}

function fromBase58(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  for (const digit of text) {
    let carry = DIGITS.indexOf(digit);
    if (carry < 0) return undefined;
    for (let at = 0; at < bytes.length; at++) {
      carry += 58 * bytes[at]!;
      bytes[at] = carry & 255;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 255);
  }
  return Uint8Array.from(bytes.reverse());
}
