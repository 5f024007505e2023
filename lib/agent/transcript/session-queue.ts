import { Observable } from 'rxjs';
import { processWide } from '../../events/values/process-wide.ts';
import type { TranscriptStore } from './transcript-store.ts';

/** The runs of one session: the first has its turn, the others wait. */
interface Line {
  readonly waiting: Set<() => void>;
  /** Whether somebody is calling up one after the other: a run that ends at once comes back from within. */
  calling: boolean;
  taken: boolean;
}

const queues = processWide('queues', () => new WeakMap<TranscriptStore, Map<string, Line>>());

/**
 * Waits for the turn of a run on its session: emits the release, synchronously when nobody else is there. Runs of one session on one
 * store follow each other, whichever agent they belong to.
 */
export function takeTurn(store: TranscriptStore, sessionId: string): Observable<() => void> {
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
    // Whoever gives up in the line must not get a turn that nobody would release.
    return () => void line.waiting.delete(go);
  });
}

/** In a loop: thousands of short runs behind each other would not fit on the stack. */
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
