import { createHash } from 'node:crypto';

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Returns a private key in the wallet import format, of the main network unless `version` is set. */
export function walletKey(key: Uint8Array, { version = 0x80, compressed = true } = {}): string {
  const payload = Buffer.from([version, ...key, ...(compressed ? [1] : [])]);
  const bytes = Buffer.concat([payload, digest(digest(payload)).subarray(0, 4)]);
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = `${DIGITS[Number(rest % 58n)]}${text}`;
  return text;
}
