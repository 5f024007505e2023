import type { Logger } from 'pino';
import type { DocumentKey, DocumentStore } from '../../config/document-store.ts';
import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/json-value.ts';
import { type SuspendedRun, suspendedRunSchema } from './suspended-run.ts';

/** A suspended run at a revision of its document. */
export interface Found {
  readonly run: SuspendedRun;
  readonly revision: number;
}

/** The suspended runs of a store; several servers may work on it. All methods may fail with `STORE_FAILED`. */
export interface SuspendedRuns {
  find(user: string, runId: string): Promise<Found | undefined>;
  /** Those of a user, in no particular order. What cannot be read is left out, and the log tells of it. */
  list(user: string): Promise<readonly Found[]>;
  /** How many a user has. */
  count(user: string): Promise<number>;
  /** Writes at that revision (0: there is none yet) and gives the next; false where another was faster. */
  write(user: string, run: SuspendedRun, revision: number): Promise<number | false>;
  /** Removes it with its history; false where another was faster. */
  remove(user: string, runId: string, revision: number): Promise<boolean>;
}

export function suspendedRuns(store: DocumentStore, log: Logger | undefined): SuspendedRuns {
  async function read(key: DocumentKey): Promise<Found | undefined> {
    const stored = await store.read(key);
    if (!stored) return undefined;
    const parsed = suspendedRunSchema.safeParse(stored.value);
    if (parsed.success) return { run: parsed.data, revision: stored.revision };
    throw new HooklineError('SNAPSHOT_INVALID', `The document ${JSON.stringify(key)} is no suspended run.`, {
      cause: parsed.error,
    });
  }

  return {
    find: (user, runId) => read(keyOf(user, runId)),
    async list(user) {
      const found: Found[] = [];
      for (const key of await store.list(['runs', user])) {
        const one = await read(key).catch((err: unknown) => log?.error({ err }, 'a suspended run cannot be read'));
        if (one) found.push(one);
      }
      return found;
    },
    async count(user) {
      return (await store.list(['runs', user])).length;
    },
    async write(user, run, revision) {
      const value = run as unknown as JsonObject;
      const written = await unlessConflict(store.write(keyOf(user, run.run.runId), value, { ifRevision: revision }));
      return written === false ? false : written.revision;
    },
    async remove(user, runId, revision) {
      return unlessConflict(store.remove(keyOf(user, runId), { ifRevision: revision }));
    },
  };
}

function keyOf(user: string, runId: string): DocumentKey {
  return ['runs', user, runId];
}

async function unlessConflict<T>(work: Promise<T>): Promise<T | false> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT') return false;
    throw thrown;
  }
}
