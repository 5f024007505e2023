import { HooklineError } from '../../errors.ts';

/** Signs JSON: returns it after a hexadecimal HMAC-SHA-256 of it. */
export async function signText(json: string, secret: string | Uint8Array): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), bytesOf(json));
  return `${toHex(new Uint8Array(signature))}.${json}`;
}

/** Returns the JSON of a text of `signText`, or `undefined` if the text was changed or was signed with another secret. */
export async function openText(signed: unknown, secret: string | Uint8Array): Promise<string | undefined> {
  const dot = typeof signed === 'string' ? signed.indexOf('.') : -1;
  if (typeof signed !== 'string' || dot < 0) return undefined;
  const signature = fromHex(signed.slice(0, dot));
  const json = signed.slice(dot + 1);
  // `verify` compares in constant time.
  if (!signature || !(await crypto.subtle.verify('HMAC', await keyOf(secret), signature, bytesOf(json))))
    return undefined;
  return json;
}

function keyOf(secret: string | Uint8Array): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = typeof secret === 'string' ? bytesOf(secret) : new Uint8Array(secret);
  if (bytes.length === 0) throw new HooklineError('OPTIONS_INVALID', 'The signing secret must not be empty.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^([0-9a-f]{2})+$/.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
