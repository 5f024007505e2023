import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as digestOf } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Returns the SHA-256 of bytes, or of a text as UTF-8: 32 bytes. */
export function sha256(data: Uint8Array | string): Uint8Array {
  return digestOf(bytesOf(data));
}

/** Returns the SHA-256 of a text as UTF-8, in 64 hexadecimal digits. */
export function sha256Hex(text: string): string {
  return toHex(sha256(text));
}

/** Returns the HMAC-SHA-256 of a text under a key, both as UTF-8: 32 bytes. */
export function hmacSha256(key: Uint8Array | string, text: string): Uint8Array {
  return hmac(digestOf, bytesOf(key), bytesOf(text));
}

/** A SHA-256 of text that arrives in parts. */
export interface TextHash {
  add(part: string): void;
  /** Returns whether the parts so far have the same hash as a text. */
  isOf(text: string): boolean;
}

/** Creates the hash of a text in parts. It reads UTF-16 units, because UTF-8 cannot encode half of a pair. */
export function createTextHash(): TextHash {
  const hash = digestOf.create();
  return {
    add: (part) => void hash.update(unitsOf(part)),
    isOf: (text) => bytesToHex(hash.clone().digest()) === bytesToHex(digestOf(unitsOf(text))),
  };
}

/** Returns bytes in hexadecimal digits. */
export const toHex = (bytes: Uint8Array): string => bytesToHex(bytes);

const bytesOf = (data: Uint8Array | string): Uint8Array => (typeof data === 'string' ? utf8ToBytes(data) : data);

function unitsOf(text: string): Uint8Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return new Uint8Array(units.buffer);
}
