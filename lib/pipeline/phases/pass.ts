import { isObservable } from 'rxjs';
import type { DecisionAction } from '../../events/decisions/decision.ts';
import type { ErrorEvent } from '../../events/error-event.ts';
import type { GateEvent, SettledEvent } from '../../events/hook-event.ts';
import { toErrorInfo } from '../../events/parts/error-info.ts';
import { freezeEvent } from '../../events/values/deep-freeze.ts';
import { type Process, wait } from '../flow/drive.ts';
import { type AfterRewrite, passGate } from '../gate/gate.ts';
import { type RunScope, settle } from '../run/run-scope.ts';
import type { StepFailure } from '../run/step-failure.ts';
import { type StepScope, takeTolerated } from '../run/step-scope.ts';

/** In a process: freezes a new event, sends it through its gate, and reports the hooks that were skipped. */
export function* pass<E extends GateEvent>(step: StepScope, event: E, afterRewrite?: AfterRewrite): Process<E> {
  const passed = passGate(step, freezeEvent(event), afterRewrite);
  const result = isObservable(passed) ? yield* wait(passed) : passed;
  if (step.tolerated) yield* reportTolerated(step);
  return result;
}

/** In a process: emits an error event for each hook that failed without ending the step. */
export function* reportTolerated(step: StepScope): Process {
  for (const failure of takeTolerated(step)) yield* raise(step, failure, []);
}

/**
 * In a process: converts a failure to an error event, sends it through its gate, and emits it settled. Only `allowed` decisions of hooks
 * count. Any other becomes a note.
 */
export function* raise(
  step: StepScope,
  failure: StepFailure,
  allowed: readonly DecisionAction[],
): Process<SettledEvent<ErrorEvent>> {
  const { scope } = step;
  if (step.tolerated) yield* reportTolerated(step);
  const toolCall = step.phase === 'acting' && step.toolCall ? { toolCall: step.toolCall } : {};
  const event = freezeEvent({
    type: 'error',
    run: scope.info,
    iteration: scope.iteration,
    phase: step.phase,
    source: failure.source,
    error: toErrorInfo(failure.cause),
    ...(failure.hook !== undefined && { hook: failure.hook }),
    ...toolCall,
  } as ErrorEvent);
  scope.tracer?.move(failure, event);
  const passed = passGate(step, event);
  const result = isObservable(passed) ? yield* wait(passed) : passed;
  const settled = settle(scope, keepAllowed(scope, result, allowed));
  yield settled;
  return settled;
}

function keepAllowed(scope: RunScope, event: ErrorEvent, allowed: readonly DecisionAction[]): ErrorEvent {
  const { decision } = event;
  if (!decision) return event;
  if (!allowed.includes(decision.action))
    return withNote(scope, event, 'decision-ignored', `"${decision.action}" has no effect here`);
  if (decision.action !== 'retry' || grantRetry(scope)) return event;
  return withNote(scope, event, 'retry-exhausted', `${scope.settings.maxRetries} retries in a row are the limit`);
}

/** Returns the event without its decision, and with a note of the hook that decided. */
export function withNote<E extends GateEvent>(scope: RunScope, event: E, code: string, message: string): E {
  const { decision, ...rest } = event;
  const note = { by: decision?.by ?? 'engine', code, message };
  const noted = freezeEvent({ ...rest, notes: [...(event.notes ?? []), note] } as unknown as E);
  scope.tracer?.carry(event, noted);
  return noted;
}

/** Returns whether the run may retry once more, and counts the retry. */
export function grantRetry(scope: RunScope): boolean {
  if (scope.retries >= scope.settings.maxRetries) return false;
  scope.retries += 1;
  return true;
}
