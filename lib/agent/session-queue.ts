import { Observable } from 'rxjs';
import type { TranscriptStore } from './transcript-store.ts';

const queues = new WeakMap<TranscriptStore, Map<string, (() => void)[]>>();

/**
 * Waits for the turn of a run on its session: emits the release, synchronously when nobody else is there. Runs of one session on one
 * store follow each other, whichever agent they belong to.
 */
export function takeTurn(store: TranscriptStore, sessionId: string): Observable<() => void> {
  return new Observable((subscriber) => {
    const sessions = queues.get(store) ?? new Map<string, (() => void)[]>();
    queues.set(store, sessions);
    let state: 'waiting' | 'running' | 'over' = 'waiting';

    const release = (): void => {
      if (state === 'over') return;
      state = 'over';
      const line = sessions.get(sessionId);
      line?.shift();
      if (line?.length === 0) sessions.delete(sessionId);
      else line?.[0]?.();
    };
    const go = (): void => {
      state = 'running';
      subscriber.next(release);
      subscriber.complete();
    };

    const line = sessions.get(sessionId);
    if (line) line.push(go);
    else sessions.set(sessionId, [go]);
    if (!line) go();

    return () => {
      // Whoever gives up in the line must not get a turn that nobody would release.
      if (state !== 'waiting') return;
      state = 'over';
      const waiting = sessions.get(sessionId);
      const place = waiting?.indexOf(go) ?? -1;
      if (place >= 0) waiting?.splice(place, 1);
    };
  });
}
