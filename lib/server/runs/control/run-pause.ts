import { BehaviorSubject, first, map, type Observable } from 'rxjs';
import { ofServer } from '../../../hooks/recorder/hook-origin.ts';
import { defineHook } from '../../../pipeline/define/define-hook.ts';
import { type Hook, type TraceStep, verdict } from '../../../pipeline/define/hook.ts';

/** Holds a run while it is paused. */
export interface RunPause {
  /** For the run. It holds the sub-agents of the run, too. */
  readonly hook: Hook;
  /** Whether the run has the hook. Otherwise it cannot be paused. */
  readonly isHeeded: boolean;
  /** Returns the steps without those of a pause that held nothing. To be called once for each event. */
  shown(steps: readonly TraceStep[]): readonly TraceStep[];
  set(paused: boolean): void;
  /** Ends a pause, because the run ends with a last model step. Calls that are held do not run. */
  interrupt(): void;
}

const NAME = 'run-pause';

type State = 'active' | 'paused' | 'interrupted';

export function runPause(paused: boolean): RunPause {
  const state$ = new BehaviorSubject<State>(paused ? 'paused' : 'active');
  let isHeeded = false;
  /** Held events whose steps are not shown yet. */
  let unshown = 0;
  /** Returns `now` unless the run is paused, and `later` of the next state otherwise. */
  function held<T>(now: T, later: (state: State) => T): T | Observable<T> {
    if (state$.value !== 'paused') return now;
    unshown += 1;
    return state$.pipe(
      first((state) => state !== 'paused'),
      map(later),
    );
  }

  const hook = defineHook({
    name: NAME,
    description: 'Holds a paused run before its next model request and its next tool call.',
    // Behind the other handlers and approvers, and before the wrappers: no timeout elapses meanwhile.
    priority: Number.MAX_SAFE_INTEGER,
    timeoutMs: Number.POSITIVE_INFINITY,
    on: {
      preCall() {
        isHeeded = true;
      },
      preReasoning: (event) => held(event, () => event),
    },
    approve: () =>
      held(verdict.allow(), (state) =>
        state === 'interrupted' ? verdict.deny('the run was interrupted while it was paused') : verdict.allow(),
      ),
  });
  return {
    hook: ofServer(hook),
    get isHeeded() {
      return isHeeded;
    },
    shown(steps) {
      if (!steps.some(({ hook }) => hook === NAME)) return steps;
      if (unshown === 0) return steps.filter(({ hook }) => hook !== NAME);
      unshown -= 1;
      return steps;
    },
    set: (next) => state$.next(next ? 'paused' : 'active'),
    interrupt: () => state$.next('interrupted'),
  };
}
