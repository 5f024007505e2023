import { defer } from 'rxjs';
import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { DocumentKey, DocumentStore, StoredDocument } from '../documents/document-store.ts';
import { checkState, checkSum, conflict } from './check-state.ts';
import type { StateEntry, StateStore, StoreKey } from './state-store.ts';

/** Documents with one revision each. A revision of a removed document is not reused. `scan`: skips unreadable documents. */
export interface StateDocuments extends DocumentStore {
  list(prefix: readonly string[], scan?: 'scan'): Promise<readonly DocumentKey[]>;
}

interface Options {
  /** Clock in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** What to do about a document that is not an entry. */
  readonly where: string;
}

const keptSchema = z.strictObject({
  // The value is parsed JSON.
  value: z.custom<JsonValue>((value) => value !== undefined),
  expiresAt: z.number().exactOptional(),
});
type Kept = z.infer<typeof keptSchema>;

/** Interval of the removal of expired entries, in milliseconds. */
const SWEEP_MS = 60 * 60_000;

/** Stores each entry as a document. Removes expired entries once an hour. */
export function documentState(documents: StateDocuments, { now = () => Date.now(), where }: Options): StateStore {
  let sweepAt = 0;

  async function find(key: StoreKey): Promise<{ revision: number; entry: StateEntry | undefined }> {
    const document = await documents.read(key);
    if (!document) return { revision: 0, entry: undefined };
    const entry = entryOf(document, where);
    const over = entry.expiresAt !== undefined && entry.expiresAt <= now();
    return { revision: document.revision, entry: over ? undefined : entry };
  }

  /** Changes an entry atomically. Retries after a conflict. */
  async function change<T>(
    key: StoreKey,
    work: (entry: StateEntry | undefined) => { readonly write?: Kept; readonly remove?: boolean; readonly result: T },
  ): Promise<{ result: T; version: number }> {
    for (;;) {
      const { revision, entry } = await find(key);
      const { write, remove, result } = work(entry);
      try {
        if (write)
          return { result, version: (await documents.write(key, { ...write }, { ifRevision: revision })).revision };
        if (remove) await documents.remove(key, { ifRevision: revision });
        return { result, version: revision };
      } catch (thrown) {
        if (!(thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT')) throw thrown;
      }
    }
  }

  /** Runs in the background. An error of one entry does not affect the others. */
  async function sweep(): Promise<void> {
    if (now() < sweepAt) return;
    sweepAt = now() + SWEEP_MS;
    const keys = await documents.list([], 'scan').catch(() => []);
    for (const key of keys) await sweepOut(key).catch(() => {});
  }

  async function sweepOut(key: StoreKey): Promise<void> {
    const { revision, entry } = await find(key);
    // Another writer may have replaced the entry.
    if (!entry && revision > 0) await documents.remove(key, { ifRevision: revision });
  }

  const until = (ttlMs: number | undefined) => (ttlMs === undefined ? {} : { expiresAt: now() + ttlMs });
  function compare(key: StoreKey, ifVersion: number | undefined, entry: StateEntry | undefined): void {
    const found = entry?.version ?? 0;
    if (ifVersion !== undefined && ifVersion !== found) throw conflict(key, ifVersion, found);
  }

  return {
    get: (given) => defer(async () => (await find(checkState(given).key)).entry),
    set: (given, value, to) =>
      defer(async () => {
        const { key, ifVersion, ttlMs } = checkState(given, to);
        const kept = { value: toJson(value, 'value'), ...until(ttlMs) };
        void sweep();
        const { version } = await change(key, (entry) => {
          compare(key, ifVersion, entry);
          return { write: kept, result: undefined };
        });
        return { key, version, ...kept };
      }),
    add: (given, amount, to) =>
      defer(async () => {
        const { key, ttlMs } = checkState(given, to);
        void sweep();
        const { result } = await change(key, (entry) => {
          const sum = checkSum(key, entry?.value ?? 0, amount);
          return { write: { ...(entry ? expiryOf(entry) : until(ttlMs)), value: sum }, result: sum };
        });
        return result;
      }),
    expire: (given, ttlMs) =>
      defer(async () => {
        const { key } = checkState(given, { ttlMs });
        const { result } = await change(key, (entry) => ({
          ...(entry && { write: { value: entry.value, ...until(ttlMs) } }),
          result: entry !== undefined,
        }));
        return result;
      }),
    list: (prefix) =>
      defer(async () => {
        const keys = await documents.list(prefix);
        const found = await Promise.all(keys.map(find));
        return keys.filter((_, at) => found[at]?.entry !== undefined);
      }),
    remove: (given, to) =>
      defer(async () => {
        const { key, ifVersion } = checkState(given, to);
        const { result } = await change(key, (entry) => {
          compare(key, ifVersion, entry);
          return { remove: true, result: entry !== undefined };
        });
        return result;
      }),
  };
}

function entryOf({ key, revision, value }: StoredDocument, where: string): StateEntry {
  const kept = keptSchema.safeParse(value);
  if (kept.success) return { key, version: revision, ...kept.data };
  throw new HooklineError(
    'STORE_FAILED',
    `The document ${JSON.stringify(key)} is not an entry of a state store: ${z.prettifyError(kept.error)}. ${where}`,
  );
}

function expiryOf({ expiresAt }: StateEntry): Pick<Kept, 'expiresAt'> {
  return expiresAt === undefined ? {} : { expiresAt };
}
