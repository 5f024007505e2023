import { setTimeout as sleep } from 'node:timers/promises';
import { asyncScheduler, defer, map, type Observable, switchMap, throwError } from 'rxjs';
import { HooklineError } from '../errors.ts';
import { abort } from '../events/decisions/abort.ts';
import { defineHook } from '../pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../pipeline/define/hook.ts';
import { type Lease, takeLease } from '../store/leases/take-lease.ts';
import type { StateStore } from '../store/state/state-store.ts';

/** The turns of runs in their sessions, across the servers of a fleet. */
export interface SessionTurns {
  /** Waits for the turn. Emits once, with the function that ends it. */
  take(sessionId: string): Observable<() => void>;
  /** Whether this server has the turn. False after a pause of the process in which another server may have taken over. */
  isHeld(sessionId: string): boolean;
}

/** Keeps turns as leases in a store. `owner` identifies this process. */
export function sessionTurns(store: StateStore, owner: string): SessionTurns {
  const held = new Map<string, Lease>();
  return {
    take: (sessionId) =>
      takeLease({ store, key: ['session-turn', sessionId], owner, scheduler: asyncScheduler }).pipe(
        map((lease) => {
          held.set(sessionId, lease);
          return () => {
            if (held.get(sessionId) === lease) held.delete(sessionId);
            lease.release();
          };
        }),
      ),
    isHeld: (sessionId) => held.get(sessionId)?.isHeld() === true,
  };
}

/** Time until the store is asked again, in milliseconds. */
const RETRY_MS = 100;

const LOST = 'This server lost its turn in the session, so another one may continue it. Start a new run.';

/**
 * Returns a hook for a run and its sub-agents. It denies calls and ends the run at its next model request once the turn of the session is lost. Each
 * attempt of a call waits until the events of the run are `stored`, and fails without the turn.
 */
export function turnHook(isHeld: () => boolean, stored?: (runId: string) => Promise<boolean>): Hook {
  async function ready(runId: string): Promise<void> {
    while (isHeld() && stored && !(await stored(runId))) await sleep(RETRY_MS);
  }
  return defineHook({
    name: 'session-turn',
    // Innermost, so that each attempt of another hook is checked.
    priority: Number.MAX_SAFE_INTEGER,
    description: 'Stops a run if its server lost the turn in the session.',
    approve: () => (isHeld() ? verdict.allow() : verdict.deny(LOST)),
    on: { preReasoning: (event) => (isHeld() ? event : abort(event, LOST)) },
    around: {
      acting: ({ run }, next) =>
        defer(() => ready(run.runId)).pipe(
          switchMap(() => (isHeld() ? next() : throwError(() => new HooklineError('STORE_CONFLICT', LOST)))),
        ),
    },
  });
}
