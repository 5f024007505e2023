import { isError } from '../../errors/describe-thrown.ts';
import { addUsage, type Usage } from '../../events/parts/usage.ts';
import type { PostCall } from '../../events/post-call.ts';
import type { PreCall } from '../../events/pre-call.ts';
import { freezeEvent } from '../../events/values/deep-freeze.ts';
import { CANCELLED, type Process, wait } from '../flow/drive.ts';
import type { CallEnding, Run } from '../run/run.ts';
import { type RunScope, settle } from '../run/run-scope.ts';
import { StepFailure } from '../run/step-failure.ts';
import type { StepScope } from '../run/step-scope.ts';
import { pass, raise } from './pass.ts';

/** Begins the call: preCall, and an error event if one of its hooks failed. */
export function* beginPhase(step: StepScope, messages: PreCall['messages']): Process {
  const { scope } = step;
  const event: PreCall = { type: 'preCall', run: scope.info, iteration: scope.iteration, messages };
  let passed: PreCall;
  let failure: StepFailure | undefined;
  try {
    passed = yield* pass<PreCall>(step, event);
  } catch (thrown) {
    if (thrown !== CANCELLED && !isError(thrown, StepFailure)) throw thrown;
    if (isError(thrown, StepFailure)) failure = thrown;
    // The call has begun even if its hooks failed. Content that they have not judged is not emitted.
    passed = freezeEvent({ ...event, messages: [] });
    if (failure) scope.tracer?.move(failure, passed);
  }
  try {
    scope.fatal = failure;
    yield settle(scope, passed);
    if (failure) {
      const { decision } = yield* raise(step, failure, ['respond']);
      if (decision?.action === 'respond' && 'message' in decision) scope.recovered = decision.message;
    }
  } catch (thrown) {
    if (thrown !== CANCELLED) throw thrown;
  } finally {
    step.lifetime.release();
  }
}

/** Reports a failure outside the phases: an error event. */
export function* failPhase(step: StepScope, thrown: unknown): Process {
  try {
    const { decision } = yield* raise(step, new StepFailure('host', thrown), ['respond']);
    if (decision?.action === 'respond' && 'message' in decision) step.scope.recovered = decision.message;
  } catch (caught) {
    if (caught !== CANCELLED) throw caught;
  } finally {
    step.lifetime.release();
  }
}

/** Ends the call: postCall, after it was stored. */
export function* endPhase(step: StepScope, ending: CallEnding, finalize: Parameters<Run['end']>[1]): Process {
  const { scope } = step;
  const counted = addAskedUsage(scope, ending, ending.usage);
  const began: PostCall = { type: 'postCall', run: scope.info, iteration: scope.iteration, ...counted };
  let event = began;
  let passed = began;
  try {
    // After a cancel, only observers receive the event.
    if (!scope.lifetime.cancelled) event = yield* pass<PostCall>(step, began);
    passed = event;
  } catch (thrown) {
    if (thrown !== CANCELLED) throw thrown;
  }
  if (scope.lifetime.cancelled) event = cancelledCall(event, scope.lifetime.reason);
  try {
    const written = finalize?.(event);
    if (written) yield* wait(written);
  } catch (thrown) {
    if (thrown === CANCELLED) event = cancelledCall(event, scope.lifetime.reason);
    else {
      const { error } = yield* raise(step, new StepFailure('host', thrown), []);
      event = { ...event, outcome: 'failed', reason: error.message };
    }
  }
  step.lifetime.release();
  // Hooks of postCall may have sent model requests, too.
  event = addAskedUsage(scope, event, ending.usage);
  scope.tracer?.carry(passed, event);
  scope.stage = 'ended';
  yield settle(scope, freezeEvent(event));
  scope.lifetime.release();
}

/** Adds the usage of model requests of hooks. */
function addAskedUsage<E extends Pick<CallEnding, 'usage'>>(scope: RunScope, ending: E, own: Usage | undefined): E {
  const usage = addUsage(own, scope.askedUsage);
  return usage ? { ...ending, usage } : ending;
}

/** Returns the ending of a cancelled call. A suspended call stays suspended, because its snapshot would be lost. */
function cancelledCall(event: PostCall, reason: string | undefined): PostCall {
  if (event.outcome === 'suspended') return event;
  return { ...event, outcome: 'cancelled', ...(reason !== undefined && { reason }) };
}
