import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { openText, signText } from './sign-text.ts';
import { parseSnapshot, type Snapshot } from './snapshot.ts';

/**
 * A snapshot as text that nobody can change unseen: its JSON behind an HMAC-SHA-256 of it. For hosts that leave snapshots where others
 * can reach them. `secret` should have at least 32 random bytes.
 */
export function signSnapshot(snapshot: Snapshot | JsonObject, secret: string | Uint8Array): Promise<string> {
  return signText(JSON.stringify(snapshot), secret);
}

/** The snapshot that `signSnapshot` made text of. Text that was changed, or signed with another secret, is `SNAPSHOT_INVALID`. */
export async function openSnapshot(signed: string, secret: string | Uint8Array): Promise<Snapshot> {
  const json = await openText(signed, secret);
  if (json !== undefined) return parseSnapshot(JSON.parse(json));
  throw new HooklineError(
    'SNAPSHOT_INVALID',
    'The signature of the snapshot does not fit: it was changed, or signed with another secret.',
  );
}
