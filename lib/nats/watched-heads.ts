import type { StoredRun } from '../server/run-store/run-store.ts';
import type { Bucket } from './bucket.ts';

/** The heads of all runs, in memory. They stay while NATS is away. */
interface WatchedHeads {
  /** Lists the runs of a user, or of all users. Returns the same list while nothing changes. */
  list(user?: string): Promise<readonly StoredRun[]>;
  set(name: string, stored: StoredRun | undefined): void;
}

/** Number of lists that are kept. */
const MOST_LISTS = 1_000;

/** Watches a bucket of heads from the first list on. NATS removes heads after `keepMs` without notice. */
export function watchedHeads(bucket: Bucket, keepMs: number): WatchedHeads {
  const heads = new Map<string, { readonly stored: StoredRun; readonly at: number }>();
  const lists = new Map<string | undefined, readonly StoredRun[]>();
  let oldest = Number.POSITIVE_INFINITY;
  let watching: Promise<void> | undefined;

  function set(name: string, stored: StoredRun | undefined, at = Date.now()): void {
    if (stored) heads.set(name, { stored, at });
    else heads.delete(name);
    oldest = Math.min(oldest, at);
    lists.clear();
  }

  function watch(): Promise<void> {
    watching ??= new Promise<void>((resolve, reject) => {
      bucket
        .watch(({ name, data, at }) => set(name, data && JSON.parse(data.toString()), at), resolve)
        .catch((thrown: unknown) => {
          watching = undefined;
          reject(thrown);
        });
    });
    return watching;
  }

  function dropOld(): void {
    const since = Date.now() - keepMs;
    if (oldest > since) return;
    for (const [name, { at }] of heads) if (at <= since) heads.delete(name);
    oldest = Math.min(Number.POSITIVE_INFINITY, ...[...heads.values()].map(({ at }) => at));
    lists.clear();
  }

  return {
    set,
    async list(user) {
      await watch();
      dropOld();
      const before = lists.get(user);
      if (before) return before;
      const all = [...heads.values()].map(({ stored }) => stored);
      const list = user === undefined ? all : all.filter((run) => run.user === user);
      if (lists.size >= MOST_LISTS) lists.clear();
      lists.set(user, list);
      return list;
    },
  };
}
