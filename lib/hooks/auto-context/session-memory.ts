import { concatMap, endWith, from, ignoreElements, map, mergeMap, type Observable, of } from 'rxjs';
import { z } from 'zod';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { userOf } from '../../events/parts/user-of.ts';
import { sha256Hex } from '../../hashes/sha256.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';
import type { Marks } from './plan-shrink.ts';
import type { Offload } from './shorten-results.ts';

/** The stored state of a session: how far its conversation is shrunk, and the summary. */
export interface Shrunk extends Marks {
  readonly summary: string;
  /** Whether there are offloaded results. */
  readonly offloaded: boolean;
}

/** The state in the store that outlives a run, by agent, user and session. */
export interface SessionMemory {
  /** Returns the stored state if it belongs to this conversation, and extends its lifetime. `report` is called with unreadable entries. */
  load(run: RunInfo, conversation: readonly Message[], report: (what: string) => void): Observable<Shrunk | undefined>;
  save(run: RunInfo, conversation: readonly Message[], shrunk: Shrunk): Observable<unknown>;
  offload(run: RunInfo, results: readonly Offload[]): Observable<unknown>;
  read(run: RunInfo, id: string): Observable<string | undefined>;
  /** Deletes results that no message in the request refers to. */
  drop(run: RunInfo, ids: readonly string[]): Observable<unknown>;
  /** Deletes the whole session. */
  forget(run: RunInfo): Observable<unknown>;
}

const keptSchema = z.strictObject({
  version: z.literal(1),
  dropped: z.int().nonnegative(),
  shortened: z.int().nonnegative(),
  summary: z.string(),
  offloaded: z.boolean(),
  /** The last dropped message. A different one means a different conversation. */
  last: z.string(),
});

const DAY_MS = 24 * 3_600_000;

/** Creates the memory of the hook `name`. Entries expire `keepDays` days after their last use. */
export function sessionMemory(
  store: StateStore,
  { name, keepDays, now }: { readonly name: string; readonly keepDays: number; readonly now: () => number },
): SessionMemory {
  const ttlMs = keepDays * DAY_MS;
  const prefixOf = (run: RunInfo) => ['auto-context', name, run.agent, userOf(run) ?? '', run.sessionId] as const;
  const stateKey = (run: RunInfo): StoreKey => [...prefixOf(run), 'state'];
  const resultKey = (run: RunInfo, id: string): StoreKey => [...prefixOf(run), 'result', id];
  const each = (keys: readonly StoreKey[], work: (key: StoreKey) => Observable<unknown>) =>
    from(keys).pipe(mergeMap(work, 4));
  /** Extends the lifetime of the whole session after half of it. */
  const live = (run: RunInfo, expiresAt: number | undefined): Observable<unknown> =>
    expiresAt === undefined || expiresAt - now() > ttlMs / 2
      ? of(undefined)
      : store.list(prefixOf(run)).pipe(concatMap((keys) => each(keys, (key) => store.expire(key, ttlMs))));

  return {
    load: (run, conversation, report) =>
      store.get(stateKey(run)).pipe(
        concatMap((entry) => {
          const kept = keptSchema.safeParse(entry?.value);
          if (entry && !kept.success) report('the stored summary of the session has another version and is rebuilt');
          if (!kept.success || kept.data.last !== lastOf(conversation, kept.data)) return of(undefined);
          const { version: _, last: __, ...shrunk } = kept.data;
          return live(run, entry?.expiresAt).pipe(ignoreElements(), endWith(shrunk));
        }),
      ),
    save: (run, conversation, shrunk) =>
      store.set(stateKey(run), { version: 1, ...shrunk, last: lastOf(conversation, shrunk) ?? '' }, { ttlMs }),
    offload: (run, results) =>
      from(results).pipe(mergeMap(({ id, text }) => store.set(resultKey(run, id), text, { ttlMs }), 4)),
    read: (run, id) =>
      store.get(resultKey(run, id)).pipe(map((entry) => (typeof entry?.value === 'string' ? entry.value : undefined))),
    drop: (run, ids) =>
      each(
        ids.map((id) => resultKey(run, id)),
        (key) => store.remove(key),
      ),
    forget: (run) => store.list(prefixOf(run)).pipe(concatMap((keys) => each(keys, (key) => store.remove(key)))),
  };
}

/** Identifies the last dropped message. Returns undefined if the conversation is shorter. */
function lastOf(conversation: readonly Message[], { dropped, shortened }: Marks): string | undefined {
  if (Math.max(dropped, shortened) > conversation.length) return undefined;
  const last = conversation[dropped - 1];
  return last ? sha256Hex(JSON.stringify(last)) : '';
}
