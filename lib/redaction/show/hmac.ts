import { sha256 } from './sha256.ts';

const BLOCK = 64;

/** Returns the HMAC-SHA-256 of a text under a key, both as UTF-8: 32 bytes. */
export function hmac(key: string, text: string): Uint8Array {
  const encoder = new TextEncoder();
  const bytes = encoder.encode(key);
  const short = bytes.length > BLOCK ? sha256(bytes) : bytes;
  const padded = new Uint8Array(BLOCK);
  padded.set(short);
  const inner = sha256(
    join(
      padded.map((byte) => byte ^ 0x36),
      encoder.encode(text),
    ),
  );
  return sha256(
    join(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
