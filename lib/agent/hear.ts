import { type Observable, tap } from 'rxjs';
import type { Abort } from '../events/decision.ts';
import type { EventOf, Settled } from '../events/hook-event.ts';

/** What the loop has to know of a phase's events. */
export interface Heard {
  preCall?: EventOf<'preCall'>;
  preActing?: EventOf<'preActing'>;
  postReasoning?: EventOf<'postReasoning'>;
  postActing?: EventOf<'postActing'>;
  abort?: Abort;
}

/** Notes in `heard` what `runId`'s own events say, as they pass. */
export function hear(
  events$: Observable<Settled>,
  runId: string,
  heard: Heard,
  onAbort?: (abort: Abort) => void,
): Observable<Settled> {
  return events$.pipe(
    tap((event) => {
      if (event.run.runId !== runId) return;
      if (event.type === 'preCall') heard.preCall = event;
      if (event.type === 'preActing') heard.preActing = event;
      if (event.type === 'postReasoning') heard.postReasoning = event;
      if (event.type === 'postActing') heard.postActing = event;
      const decision = event.decision as { action: string } | undefined;
      if (decision?.action !== 'abort') return;
      heard.abort = decision as Abort;
      onAbort?.(heard.abort);
    }),
  );
}
