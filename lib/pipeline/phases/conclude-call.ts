import { isError } from '../../errors/describe-thrown.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { errorResult, type ToolResult } from '../../events/parts/tool-result.ts';
import type { ActingOutcome, PostActing } from '../../events/post-acting.ts';
import { deliver } from '../calls/deliver.ts';
import type { Process } from '../flow/drive.ts';
import { gateEvent, settle } from '../run/run-scope.ts';
import { StepFailure } from '../run/step-failure.ts';
import type { StepScope } from '../run/step-scope.ts';
import { redactText } from '../trace/redact-text.ts';
import { pass, raise } from './pass.ts';

/** How a call ended, before hooks have seen it. */
export interface Ending {
  readonly outcome: ActingOutcome;
  readonly result: ToolResult;
}

/** The step of an acting phase: the call as it stands is always there. */
export interface ActingStep extends StepScope {
  toolCall: ToolCall;
  /** When the tool began to run. */
  began?: number;
  ending?: Ending;
  /** Whether postActing has settled. */
  over?: boolean;
}

/** Within a process: the call has come to its end, which postActing tells. */
export function* conclude(step: ActingStep, ending: Ending): Process {
  const { scope } = step;
  step.ending = ending;
  let post: PostActing;
  try {
    post = yield* pass(step, postActing(step, ending));
    post = yield* deliver(step, post);
  } catch (thrown) {
    if (!isError(thrown, StepFailure)) throw thrown;
    const { decision } = yield* raise(step, thrown, ['respond']);
    const recovered = decision?.action === 'respond' && 'result' in decision ? decision.result : undefined;
    if (!recovered) scope.fatal = thrown;
    const result = recovered ?? errorResult(`The result was withheld: hook "${thrown.hook}" failed.`);
    post = postActing(step, { outcome: recovered ? 'responded' : 'failed', result });
  }
  if (post.outcome === 'executed') scope.retries = 0;
  step.over = true;
  yield settle(scope, gateEvent(post));
}

/** A result of the engine's own words, which no hook may get to see once the run is cancelled. */
function redactResult({ scope }: ActingStep, result: ToolResult): ToolResult {
  return { ...result, content: redactText(scope, result.content) };
}

/** The event of a call's end, before hooks have seen it. */
export function postActing(step: ActingStep, { outcome, result }: Ending): PostActing {
  const { scope, began } = step;
  const now = scope.settings.scheduler.now();
  const event: PostActing = {
    type: 'postActing',
    run: scope.info,
    iteration: scope.iteration,
    toolCall: step.toolCall,
    permission: step.permission ?? 'external',
    result: outcome === 'executed' || outcome === 'responded' ? result : redactResult(step, result),
    outcome,
    durationMs: began === undefined ? 0 : Math.max(0, now - began),
  };
  step.arounds?.tell(event);
  step.arounds = undefined;
  return event;
}
