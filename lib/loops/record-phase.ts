import type { Observable } from 'rxjs';
import { observePhase, type PhaseResults } from '../agent/phase-results.ts';
import type { ErrorEvent } from '../events/error-event.ts';
import type { SettledEvent } from '../events/hook-event.ts';

/** The results of a phase. `source` is the origin of the error, if the phase ended with one. */
export interface PhaseRecord extends PhaseResults {
  readonly source: ErrorEvent['source'] | undefined;
}

/** Records a phase to its end. `onEvent` receives all of its events, `onOwn` those of the run itself. */
export function recordPhase(
  events$: Observable<SettledEvent>,
  runId: string,
  onEvent: (event: SettledEvent) => void,
  onOwn?: (event: SettledEvent) => unknown,
): Promise<PhaseRecord> {
  const listening = observePhase(events$, runId);
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
      complete: () => resolve({ ...listening.results, source: last?.type === 'error' ? last.source : undefined }),
    });
  });
}
