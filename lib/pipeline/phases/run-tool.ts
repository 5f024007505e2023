import { isError } from '../../errors/describe-thrown.ts';
import type { ActingChunk } from '../../events/acting-chunk.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import { errorResult } from '../../events/parts/tool-result.ts';
import type { PreActing } from '../../events/pre-acting.ts';
import { tellWithdrawn } from '../chunks/settle-chunk.ts';
import { CANCELLED, type Process } from '../flow/drive.ts';
import { StepFailure } from '../run/step-failure.ts';
import { createToolOutcome } from '../tools/tool-outcome.ts';
import { type ChildFor, type JudgedCall, streamActing } from './acting-stream.ts';
import type { ActingStep, Ending } from './conclude-call.ts';
import { raise, tellTolerated } from './pass.ts';

/** Runs the judged call, again where a hook answers its failure with retry. Gives nothing when a sub-agent has suspended it. */
export function* runTool(
  step: ActingStep,
  pre: SettledEvent<PreActing>,
  judged: JudgedCall,
  childFor: ChildFor,
): Process<Ending | undefined> {
  const { scope } = step;
  step.began = scope.settings.scheduler.now();
  for (;;) {
    const outcome = createToolOutcome(scope.settings.maxResultChars);
    try {
      yield { wait: streamActing(step, pre, judged, outcome, childFor) };
      if (step.lifetime.cancelled) throw CANCELLED;
      tellWithdrawn(step, emptyChunk(step, pre));
      if (step.tolerated) yield* tellTolerated(step);
      if (outcome.suspended) {
        scope.suspendedChildren ??= new Map();
        scope.suspendedChildren.set(pre.toolCall.id, outcome.suspended);
        return undefined;
      }
      if (outcome.aborted) {
        const { by, reason } = outcome.aborted;
        return { outcome: 'cancelled', result: errorResult(`The call was cut: hook "${by}" ended the run: ${reason}`) };
      }
      return { outcome: 'executed', result: outcome.final() };
    } catch (thrown) {
      if (!isError(thrown, StepFailure)) throw thrown;
      step.arounds?.tell(thrown);
      step.arounds = undefined;
      tellWithdrawn(step, emptyChunk(step, pre));
      const { decision } = yield* raise(step, thrown, thrown.fatal ? ['respond'] : ['respond', 'retry']);
      if (decision?.action === 'respond' && 'result' in decision)
        return { outcome: 'responded', result: decision.result };
      if (decision?.action !== 'retry') {
        if (thrown.fatal) scope.fatal = thrown;
        const message = thrown.fatal
          ? `The result was withheld: hook "${thrown.hook}" failed.`
          : `Tool "${judged.tool.name}" failed: ${thrown.message}`;
        return { outcome: 'failed', result: errorResult(message) };
      }
      step.attempt += 1;
    }
  }
}

function emptyChunk({ scope, attempt }: ActingStep, { toolCall }: PreActing): ActingChunk {
  return {
    type: 'actingChunk',
    run: scope.info,
    iteration: scope.iteration,
    toolCall,
    content: '',
    attempt,
    last: true,
  };
}
