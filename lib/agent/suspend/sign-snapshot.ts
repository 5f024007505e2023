import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { openText, signText } from './sign-text.ts';
import { parseSnapshot, type Snapshot } from './snapshot.ts';

/**
 * Signs a snapshot: its JSON after an HMAC-SHA-256 of it. Use it if others can write to the place where the host stores snapshots. `secret` should
 * have at least 32 random bytes.
 */
export function signSnapshot(snapshot: Snapshot | JsonObject, secret: string | Uint8Array): Promise<string> {
  return signText(JSON.stringify(snapshot), secret);
}

/**
 * Verifies a text of `signSnapshot` and returns the snapshot. Rejects with `SNAPSHOT_INVALID` if the text was changed or was signed with another
 * secret.
 */
export async function openSnapshot(signed: string, secret: string | Uint8Array): Promise<Snapshot> {
  const json = await openText(signed, secret);
  if (json !== undefined) return parseSnapshot(JSON.parse(json));
  throw new HooklineError(
    'SNAPSHOT_INVALID',
    'The signature of the snapshot is invalid: the snapshot was changed, or signed with another secret.',
  );
}
