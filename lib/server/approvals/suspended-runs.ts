import type { Logger } from 'pino';
import { z } from 'zod';
import { parseSnapshot, type Snapshot } from '../../agent/suspend/snapshot.ts';
import { hasCode } from '../../errors/has-code.ts';
import { HooklineError } from '../../errors.ts';
import { type JsonObject, jsonObjectSchema } from '../../events/values/json-value.ts';
import type { DocumentKey, DocumentStore } from '../../store/documents/document-store.ts';
import { runViewSchema } from '../runs/run-view.ts';
import { suspendRun } from './suspend-run.ts';
import { givenAnswerSchema, type SuspendedRun, suspendedRunSchema } from './suspended-run.ts';

/** A suspended run at a revision of its document. */
export interface Found {
  readonly run: SuspendedRun;
  readonly revision: number;
}

/** The suspended runs of a store. Several servers may share the store. All methods may fail with `STORE_FAILED`. */
export interface SuspendedRuns {
  find(user: string, runId: string): Promise<Found | undefined>;
  /** Returns the snapshot to resume from. Rejects with `SNAPSHOT_INVALID` if it is missing. */
  snapshot(user: string, runId: string): Promise<Snapshot>;
  /** Lists the runs of a user, or of all users, in no particular order. Does not read snapshots. Logs and skips unreadable runs. */
  list(user?: string): Promise<readonly Found[]>;
  count(user: string): Promise<number>;
  /** Stores a new run. Rejects with `STORE_CONFLICT` if a run of that id exists. */
  add(run: SuspendedRun, snapshot: JsonObject): Promise<void>;
  /** Writes at this revision and returns the next one. Returns false if the revision has changed. */
  write(run: SuspendedRun, revision: number): Promise<number | false>;
  /** Removes a run with its history. Returns false if the revision has changed. */
  remove(user: string, runId: string, revision: number): Promise<boolean>;
}

/** The first format, in which the run contained its snapshot. */
const firstSchema = z.looseObject({
  version: z.literal(1),
  run: runViewSchema,
  snapshot: jsonObjectSchema,
  answers: z.record(z.string(), givenAnswerSchema),
});

export function suspendedRuns(store: DocumentStore, log: Logger | undefined): SuspendedRuns {
  async function read(key: DocumentKey): Promise<Found | undefined> {
    const stored = await store.read(key);
    if (!stored) return undefined;
    const { revision, value } = stored;
    const first = firstSchema.safeParse(value).data;
    if (first) {
      const { run, snapshot, answers } = first;
      return { run: { ...suspendRun(String(key[1]), run, snapshot), answers }, revision };
    }
    const parsed = suspendedRunSchema.safeParse(value);
    if (parsed.success) return { run: parsed.data, revision };
    throw new HooklineError('SNAPSHOT_INVALID', `The document ${JSON.stringify(key)} is not a suspended run.`, {
      cause: parsed.error,
    });
  }

  /** Stores the snapshot of a run in the first format, before the run is written in the current one. */
  async function keepSnapshot(user: string, runId: string): Promise<void> {
    const first = firstSchema.safeParse((await store.read(keyOf(user, runId)))?.value).data;
    if (first) await store.write(snapshotKey(user, runId), first.snapshot);
  }

  return {
    find: (user, runId) => read(keyOf(user, runId)),
    async snapshot(user, runId) {
      const stored = await store.read(snapshotKey(user, runId));
      if (stored) return parseSnapshot(stored.value as JsonObject);
      const first = firstSchema.safeParse((await store.read(keyOf(user, runId)))?.value).data;
      if (first) return parseSnapshot(first.snapshot);
      throw new HooklineError('SNAPSHOT_INVALID', `The snapshot of the run ${JSON.stringify(runId)} is missing.`);
    },
    async list(user) {
      const found: Found[] = [];
      for (const key of await store.list(user === undefined ? ['runs'] : ['runs', user])) {
        const one = await read(key).catch((err: unknown) =>
          log?.error({ err }, 'the server cannot read a suspended run'),
        );
        if (one) found.push(one);
      }
      return found;
    },
    async count(user) {
      try {
        return (await store.list(['runs', user])).length;
      } catch (thrown) {
        // A run may begin while the store is away. It cannot suspend then.
        if (hasCode(thrown, 'STORE_FAILED')) return 0;
        throw thrown;
      }
    },
    async add(run, snapshot) {
      const { runId } = run.run;
      // Written before the run, because a server that reads the run may resume it.
      await store.write(snapshotKey(run.user, runId), snapshot, { ifRevision: 0 });
      await store.write(keyOf(run.user, runId), run as unknown as JsonObject, { ifRevision: 0 });
    },
    async write(run, revision) {
      const value = run as unknown as JsonObject;
      const key = keyOf(run.user, run.run.runId);
      await keepSnapshot(run.user, run.run.runId);
      const written = await unlessConflict(store.write(key, value, { ifRevision: revision }));
      return written === false ? false : written.revision;
    },
    async remove(user, runId, revision) {
      const removed = await unlessConflict(store.remove(keyOf(user, runId), { ifRevision: revision }));
      if (removed) await store.remove(snapshotKey(user, runId));
      return removed;
    },
  };
}

function keyOf(user: string, runId: string): DocumentKey {
  return ['runs', user, runId];
}

function snapshotKey(user: string, runId: string): DocumentKey {
  return ['snapshots', user, runId];
}

async function unlessConflict<T>(work: Promise<T>): Promise<T | false> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT') return false;
    throw thrown;
  }
}
