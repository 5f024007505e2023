import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { HooklineError } from '../errors.ts';

/** Encrypts and authenticates what leaves the process. `name` is the place of the data, so that data of one place is invalid at another. */
export interface Seal {
  close(name: string, data: Uint8Array): Buffer;
  /** Data that was sealed with another secret, for another place, or was changed is `STORE_FAILED`. */
  open(name: string, sealed: Uint8Array): Buffer;
}

/** The format of sealed data, in its first byte: then 12 bytes of nonce, 16 bytes of tag, and the encrypted data. */
const FORMAT = 1;
const NONCE = 12;
const TAG = 16;

/** Seals with AES-256-GCM, with a key that HKDF-SHA-256 derives from `secret`. */
export function createSeal(secret: string, app: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, 'hookline-backplane', app, 32));
  return {
    close(name, data) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(data), cipher.final()]);
      return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), body]);
    },
    open(name, given) {
      const sealed = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
      const body = 1 + NONCE + TAG;
      try {
        if (sealed[0] !== FORMAT || sealed.length < body) throw new Error(`the format ${sealed[0]} is unknown`);
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE))
          .setAAD(Buffer.from(name))
          .setAuthTag(sealed.subarray(1 + NONCE, body));
        return Buffer.concat([decipher.update(sealed.subarray(body)), decipher.final()]);
      } catch (cause) {
        const why = `${name} was not written with the secret of this fleet, or it was changed. Use the same secret on all servers.`;
        throw new HooklineError('STORE_FAILED', why, { cause });
      }
    },
  };
}
