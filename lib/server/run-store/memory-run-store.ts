import { isDeepStrictEqual } from 'node:util';
import { defer, filter, map, Subject, startWith } from 'rxjs';
import type { JsonObject } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';
import { isSuspended } from './head-state.ts';
import type { RunKey, RunStore } from './run-store.ts';

/** Options of `memoryRunStore`. */
export interface MemoryRunStoreOptions {
  /** Maximum number of runs (default: 1,000). */
  readonly runs?: number;
  /** Whether to store logs (default: true). */
  readonly logs?: boolean;
}

interface Kept extends RunKey {
  head: JsonObject | undefined;
  readonly entries: JsonObject[];
}

/** Stores the most recent runs in memory, and the suspended ones. */
export function memoryRunStore({ runs: most = 1_000, logs = true }: MemoryRunStoreOptions = {}): RunStore {
  // Ordered by the last change, oldest first.
  const runs = new Map<string, Kept>();
  const added$ = new Subject<{ key: string; entries: readonly JsonObject[] }>();
  const keyOf = ({ user, runId }: RunKey) => JSON.stringify([user, runId]);

  return {
    async append({ user, runId }, addition) {
      const { entries = [], head } = toJson(addition, 'addition') as { entries?: JsonObject[]; head?: JsonObject };
      const key = keyOf({ user, runId });
      const run = runs.get(key) ?? { user, runId, head: undefined, entries: [] };
      if (head) run.head = head;
      if (logs) run.entries.push(...entries);
      runs.delete(key);
      runs.set(key, run);
      if (logs && entries.length > 0) added$.next({ key, entries });
      if (runs.size <= most) return;
      const [oldest] = [...runs].find(([, one]) => !isSuspended(one.head)) ?? [];
      if (oldest !== undefined) runs.delete(oldest);
    },
    find: async (key) => structuredClone(runs.get(keyOf(key))?.head),
    read: async (key, from = 0) => ({
      entries: structuredClone(runs.get(keyOf(key))?.entries.slice(from) ?? []),
      cut: false,
    }),
    follow: (key) =>
      defer(() =>
        added$.pipe(
          filter((added) => added.key === keyOf(key)),
          map(({ entries }) => entries),
          startWith(runs.get(keyOf(key))?.entries.slice() ?? []),
          map((entries) => structuredClone(entries)),
        ),
      ),
    async list(user) {
      const wanted = [...runs.values()].filter((run) => run.head && (user === undefined || run.user === user));
      return wanted.map(({ user, runId, head }) => ({ user, runId, head: head! }));
    },
    remove: async (key) => runs.delete(keyOf(key)),
    async takeOver(key, seen, head) {
      const run = runs.get(keyOf(key));
      if (!run || !isDeepStrictEqual(run.head, seen)) return undefined;
      const entries = structuredClone(run.entries);
      run.head = toJson(head, 'head') as JsonObject;
      const mark = { takenOver: new Date().toISOString() };
      run.entries.push(mark);
      added$.next({ key: keyOf(key), entries: [mark] });
      return { entries, cut: false };
    },
  };
}
