import type { Observable } from 'rxjs';
import { type Heard, listen } from '../agent/hear.ts';
import type { ErrorEvent } from '../events/error-event.ts';
import type { SettledEvent } from '../events/hook-event.ts';

/** What a phase of a run has said; `source` is who it has failed of, where an error stands last. */
export interface HeardPhase extends Heard {
  readonly source: ErrorEvent['source'] | undefined;
}

/** Hears a phase to its end: `onEvent` all of its events, `onOwn` those of the run itself. */
export function hearPhase(
  events$: Observable<SettledEvent>,
  runId: string,
  onEvent: (event: SettledEvent) => void,
  onOwn?: (event: SettledEvent) => unknown,
): Promise<HeardPhase> {
  const listening = listen(events$, runId);
  let last: SettledEvent | undefined;
  return new Promise((resolve, reject) => {
    listening.events$.subscribe({
      next(event) {
        onEvent(event);
        if (event.run.runId !== runId) return;
        last = event;
        onOwn?.(event);
      },
      error: reject,
      complete: () => resolve({ ...listening.heard, source: last?.type === 'error' ? last.source : undefined }),
    });
  });
}
