import { join, resolve } from 'node:path';
import { Observable } from 'rxjs';
import { HooklineError } from '../../../errors.ts';
import type { Hook } from '../../../pipeline/define/hook.ts';
import { withFileLock } from '../../../store/documents/file-lock.ts';
import { fileName } from '../../../store/documents/file-name.ts';
import { makeFolder } from '../../../store/documents/make-folder.ts';
import { fileTranscript } from '../../../store/transcripts/file-transcript.ts';
import type { TranscriptStore } from '../../../store/transcripts/transcript-store.ts';
import { turnHook } from './turn-hook.ts';

/** Conversations in files, each of which one process at a time continues. */
export interface FileSessions {
  readonly transcript: TranscriptStore;
  /**
   * Returns a hook for a run of this session. It stops the run if another process has taken the turn of this one, after a pause of the process. Each
   * call waits until `stored`.
   */
  turnHook(sessionId: string, stored?: (runId: string) => Promise<boolean>): Hook;
}

/** Times of a turn, in milliseconds. The turn of a process that died on this machine ends at once. */
const TURN = { staleMs: 10_000, waitMs: Number.POSITIVE_INFINITY, pollMs: 250 };

/**
 * Stores conversations in `folder`, for servers that take over runs of each other (`createRuns({ takeOver: true })`). Runs of one session queue
 * across the processes that use the folder. A process that lost its turn cannot change the conversation (`STORE_CONFLICT`).
 */
export function fileSessions(folder: string): FileSessions {
  const files = fileTranscript(folder);
  const turns = join(resolve(folder), 'turns');
  const held = new Map<string, () => void>();

  function isHeld(sessionId: string): boolean {
    try {
      held.get(sessionId)?.();
      return held.has(sessionId);
    } catch {
      return false;
    }
  }

  function assertHeld(sessionId: string): void {
    if (isHeld(sessionId)) return;
    const why = `Another process has the turn of the session ${JSON.stringify(sessionId)}. Start a new run.`;
    throw new HooklineError('STORE_CONFLICT', why);
  }

  return {
    transcript: {
      load: (sessionId) => files.load(sessionId),
      append(sessionId, messages) {
        assertHeld(sessionId);
        return files.append(sessionId, messages);
      },
      truncate(sessionId, length) {
        assertHeld(sessionId);
        return files.truncate(sessionId, length);
      },
      turn: (sessionId) =>
        new Observable((subscriber) => {
          const waiting = new AbortController();
          makeFolder(turns, 0o700);
          const work = (assertOwn: () => void) =>
            new Promise<void>((end) => {
              if (subscriber.closed) return end();
              held.set(sessionId, assertOwn);
              subscriber.next(() => {
                if (held.get(sessionId) === assertOwn) held.delete(sessionId);
                end();
              });
              subscriber.complete();
            });
          withFileLock(join(turns, fileName([sessionId])), TURN, work, waiting.signal).catch((thrown: unknown) =>
            subscriber.error(thrown),
          );
          return () => waiting.abort();
        }),
    },
    turnHook: (sessionId, stored) => turnHook(() => isHeld(sessionId), stored),
  };
}
