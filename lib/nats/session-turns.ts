import { asyncScheduler, map, type Observable } from 'rxjs';
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
