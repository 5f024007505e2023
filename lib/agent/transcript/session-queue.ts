import { EMPTY, from, Observable, switchMap } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import { processWide } from '../../events/values/process-wide.ts';
import type { TranscriptStore } from '../../store/transcripts/transcript-store.ts';

/** The runs of one session. The first has its turn, and the others wait. */
interface Line {
  readonly waiting: Set<() => void>;
  /** True during the loop that starts waiting runs. A run that ends at once re-enters it. */
  calling: boolean;
  taken: boolean;
}

const queues = processWide('queues', () => new WeakMap<TranscriptStore, Map<string, Line>>());

/**
 * Waits for a run's turn in its session. Emits the release function, synchronously if no other run is active. Runs of one session in one store never
 * overlap, whichever agent they belong to, nor with runs of other processes if the store knows their turns.
 */
export function takeTurn(store: TranscriptStore, sessionId: string): Observable<() => void> {
  const own$ = takeOwnTurn(store, sessionId);
  if (!store.turn) return own$;
  return own$.pipe(switchMap((release) => turnOfAll(store, sessionId, release)));
}

/** Waits for the turn among processes. If it does not come, the turn in this process ends. */
function turnOfAll(store: TranscriptStore, sessionId: string, release: () => void): Observable<() => void> {
  return new Observable((subscriber) => {
    let taken = false;
    subscriber.add(() => {
      if (!taken) release();
    });
    subscriber.add(
      from(store.turn?.(sessionId) ?? EMPTY).subscribe({
        next(end) {
          if (typeof end !== 'function') return subscriber.error(noTurn(sessionId));
          taken = true;
          subscriber.next(() => {
            release();
            end();
          });
          subscriber.complete();
        },
        error: (thrown) => subscriber.error(thrown),
        complete: () => subscriber.error(noTurn(sessionId)),
      }),
    );
  });
}

function noTurn(sessionId: string): HooklineError {
  const why = `turn(${JSON.stringify(sessionId)}) of the transcript store must emit the function that ends the turn.`;
  return new HooklineError('TRANSCRIPT_FAILED', why);
}

function takeOwnTurn(store: TranscriptStore, sessionId: string): Observable<() => void> {
  return new Observable((subscriber) => {
    const sessions = queues.get(store) ?? new Map<string, Line>();
    queues.set(store, sessions);
    const line = sessions.get(sessionId) ?? { waiting: new Set(), calling: false, taken: false };
    sessions.set(sessionId, line);
    let released = false;

    const release = (): void => {
      if (released) return;
      released = true;
      line.taken = false;
      callUp(line);
      if (!line.taken && line.waiting.size === 0 && sessions.get(sessionId) === line) sessions.delete(sessionId);
    };
    const go = (): void => {
      line.taken = true;
      subscriber.next(release);
      subscriber.complete();
    };

    if (!line.taken && line.waiting.size === 0 && !line.calling) {
      go();
      return undefined;
    }
    line.waiting.add(go);
    // A run that is cancelled in the queue must not get a turn, because it would not release it.
    return () => void line.waiting.delete(go);
  });
}

/** It uses a loop, because thousands of short runs would overflow the stack. */
function callUp(line: Line): void {
  if (line.calling) return;
  line.calling = true;
  while (!line.taken) {
    const [next] = line.waiting;
    if (!next) break;
    line.waiting.delete(next);
    next();
  }
  line.calling = false;
}
