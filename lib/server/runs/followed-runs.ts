import type { Subscription } from 'rxjs';
import { appendEntries } from '../records/replay.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { RunKey } from '../run-store/run-store.ts';
import { type Audience, createAudience } from '../sse/audience.ts';
import { Journal } from '../sse/journal.ts';
import { deferred } from './deferred.ts';
import type { RunLimits } from './run-limits.ts';
import type { Runs } from './runs.ts';

/** An active run of another server with its clients at this one. */
export interface FollowedRun {
  readonly journal: Journal;
  readonly audience: Audience;
  /** Call when a client has left, or has not joined. */
  released(): void;
}

interface Parts {
  readonly records: Pick<RunRecords, 'follow'>;
  readonly limits: RunLimits;
  readonly find: Runs['find'];
}

interface Following extends FollowedRun {
  /** Resolves with the events so far in the journal, or when it has ended without any. */
  readonly ready: Promise<void>;
}

/**
 * Follows the records of runs that other servers have, once for all clients. Returns undefined if the store cannot be followed. The journal ends with
 * the run, if its server is gone, or if the store fails: clients then connect again.
 */
export function followedRuns({ records, limits, find }: Parts) {
  const followed = new Map<string, Following>();

  function follow(key: RunKey): Following | undefined {
    const events$ = records.follow(key);
    if (!events$) return undefined;
    const { user, runId } = key;
    const name = JSON.stringify([user, runId]);
    const journal = new Journal(runId, { chunks: limits.journalChunks, gates: limits.journalGates });
    const audience = createAudience(journal, limits);
    const ready = deferred<void>();
    let reading: Subscription | undefined;
    const checking = setInterval(() => void check().catch(end), limits.heartbeatMs).unref();

    function end(): void {
      clearInterval(checking);
      reading?.unsubscribe();
      if (followed.get(name)?.journal === journal) followed.delete(name);
      journal.close();
      ready.resolve();
      audience.wake();
    }

    /** The server of the run may be gone, or the postCall may not be stored. New events may still be late, so the log tells the next client how it ended. */
    async function check(): Promise<void> {
      const { state } = await find(user, runId);
      if (state !== 'running') end();
    }

    reading = events$.subscribe({
      next(entries) {
        const whole = appendEntries(journal, runId, entries);
        ready.resolve();
        audience.wake();
        if (whole) end();
      },
      error(thrown) {
        ready.reject(thrown);
        end();
      },
      complete: end,
    });
    if (journal.closed) reading.unsubscribe();
    const following: Following = {
      journal,
      audience,
      ready: ready.promise,
      released() {
        if (audience.size === 0) end();
      },
    };
    if (!journal.closed) followed.set(name, following);
    return following;
  }

  return {
    async open(key: RunKey): Promise<FollowedRun | undefined> {
      const following = followed.get(JSON.stringify([key.user, key.runId])) ?? follow(key);
      await following?.ready;
      return following;
    },
  };
}
