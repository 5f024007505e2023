import { createHash } from 'node:crypto';
import { concatMap, endWith, from, ignoreElements, map, mergeMap, type Observable, of } from 'rxjs';
import { z } from 'zod';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { userOf } from '../../events/parts/user-of.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';
import type { Marks } from './plan-shrink.ts';
import type { Offload } from './shorten-results.ts';

/** What is known of a session: how far its conversation is shrunk, and what stands for what is left out. */
export interface Shrunk extends Marks {
  readonly summary: string;
  /** Whether there are results to read back. */
  readonly offloaded: boolean;
}

/** What outlives a run, in the store, by agent, user and session. */
export interface SessionMemory {
  /** What was kept of the session, if it is of this conversation; and lets it live on. `tell` hears of what cannot be read. */
  load(run: RunInfo, talk: readonly Message[], tell: (what: string) => void): Observable<Shrunk | undefined>;
  save(run: RunInfo, talk: readonly Message[], shrunk: Shrunk): Observable<unknown>;
  offload(run: RunInfo, results: readonly Offload[]): Observable<unknown>;
  read(run: RunInfo, id: string): Observable<string | undefined>;
  /** Results that nothing in the request tells of any more. */
  drop(run: RunInfo, ids: readonly string[]): Observable<unknown>;
  /** Forgets all of the session. */
  forget(run: RunInfo): Observable<unknown>;
}

const keptSchema = z.strictObject({
  version: z.literal(1),
  dropped: z.int().nonnegative(),
  shortened: z.int().nonnegative(),
  summary: z.string(),
  offloaded: z.boolean(),
  /** The last message that is left out: another one means another conversation. */
  last: z.string(),
});

const DAY_MS = 24 * 3_600_000;

/** Makes the memory of the hook `name`; entries live `keepDays` days from their last use on. */
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
  /** Lets all of the session live on, when half of its time is over. */
  const live = (run: RunInfo, expiresAt: number | undefined): Observable<unknown> =>
    expiresAt === undefined || expiresAt - now() > ttlMs / 2
      ? of(undefined)
      : store.list(prefixOf(run)).pipe(concatMap((keys) => each(keys, (key) => store.expire(key, ttlMs))));

  return {
    load: (run, talk, tell) =>
      store.get(stateKey(run)).pipe(
        concatMap((entry) => {
          const kept = keptSchema.safeParse(entry?.value);
          if (entry && !kept.success) tell('what is kept of the session is of another version, and is made anew');
          if (!kept.success || kept.data.last !== lastOf(talk, kept.data)) return of(undefined);
          const { version: _, last: __, ...shrunk } = kept.data;
          return live(run, entry?.expiresAt).pipe(ignoreElements(), endWith(shrunk));
        }),
      ),
    save: (run, talk, shrunk) =>
      store.set(stateKey(run), { version: 1, ...shrunk, last: lastOf(talk, shrunk) ?? '' }, { ttlMs }),
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

/** Names the last message that is left out; undefined where the conversation is shorter than that. */
function lastOf(talk: readonly Message[], { dropped, shortened }: Marks): string | undefined {
  if (Math.max(dropped, shortened) > talk.length) return undefined;
  const last = talk[dropped - 1];
  return last ? createHash('sha256').update(JSON.stringify(last)).digest('hex') : '';
}
