import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { parseSnapshot, type Snapshot } from './snapshot.ts';

/**
 * A snapshot as text that nobody can change unseen: its JSON behind an HMAC-SHA-256 of it. For hosts that leave snapshots where others
 * can reach them. `secret` should have at least 32 random bytes.
 */
export async function signSnapshot(snapshot: Snapshot | JsonObject, secret: string | Uint8Array): Promise<string> {
  const json = JSON.stringify(snapshot);
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), bytesOf(json));
  return `${toHex(new Uint8Array(signature))}.${json}`;
}

/** The snapshot that `signSnapshot` made text of. Text that was changed, or signed with another secret, is `SNAPSHOT_INVALID`. */
export async function openSnapshot(signed: string, secret: string | Uint8Array): Promise<Snapshot> {
  const dot = typeof signed === 'string' ? signed.indexOf('.') : -1;
  const signature = dot < 0 ? undefined : fromHex(signed.slice(0, dot));
  const json = dot < 0 ? '' : signed.slice(dot + 1);
  // `verify` compares in constant time.
  if (!signature || !(await crypto.subtle.verify('HMAC', await keyOf(secret), signature, bytesOf(json)))) {
    throw new HooklineError(
      'SNAPSHOT_INVALID',
      'The signature of the snapshot does not fit: it was changed, or signed with another secret.',
    );
  }
  return parseSnapshot(JSON.parse(json));
}

function keyOf(secret: string | Uint8Array): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = typeof secret === 'string' ? bytesOf(secret) : new Uint8Array(secret);
  if (bytes.length === 0)
    throw new HooklineError('OPTIONS_INVALID', 'The secret that signs snapshots must not be empty.');
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
