import type { Observable } from 'rxjs';
import type { Settled } from '../events/hook-event.ts';
import type { PreReasoning } from '../events/pre-reasoning.ts';
import type { ReasoningChunk } from '../events/reasoning-chunk.ts';
import { wrapStep } from './around.ts';
import { type Attempts, streamThroughLane } from './lane-stream.ts';
import type { Model, ModelChunk, ModelRequest } from './model.ts';
import { createModelFeed } from './model-feed.ts';
import type { Reply } from './reply.ts';
import { createSource } from './source.ts';
import { StepFailure } from './step-failure.ts';
import type { StepScope } from './step-scope.ts';

/**
 * Asks the model and sends what it streams through the chunk lane. Emits the chunks that leave, settled; what they come to is
 * gathered in `reply`. Errors with a `StepFailure`; completes early, without flushing, when the step is cancelled.
 */
export function streamReasoning(
  step: StepScope,
  pre: Settled<PreReasoning>,
  model: Model,
  reply: Reply,
  attempts: Attempts,
): Observable<never> {
  const { scope } = step;
  return streamThroughLane<ReasoningChunk, ModelChunk>(step, scope.plan.lanes.reasoningChunk, reply, (feeding) => {
    const { lane } = feeding;
    /** Does `action` when the lane has dealt with all that came before, unless that has put an end to the attempt. */
    const inTurn = (action: () => void): void => {
      const attempt = attempts.current;
      lane.whenIdle(() => {
        if (feeding.over || attempts.current !== attempt) return;
        try {
          action();
        } catch (thrown) {
          feeding.fail(new StepFailure('model', thrown));
        }
      });
    };
    const template = (part: ReasoningChunk['part'], block: number, toolCallId?: string): ReasoningChunk => ({
      type: 'reasoningChunk',
      run: scope.info,
      iteration: pre.iteration,
      part,
      delta: '',
      block,
      attempt: attempts.current,
      last: false,
      ...(toolCallId !== undefined && { toolCallId }),
    });
    const host = { reply, template, open: (chunk: ReasoningChunk) => lane.open(chunk), later: inTurn };
    feeding.taker = createModelFeed(host);

    const request: ModelRequest = {
      messages: pre.messages,
      tools: pre.tools,
      options: pre.options,
      ...(pre.model !== undefined && { model: pre.model }),
    };
    const ask = wrapStep<(typeof scope.plan.arounds.reasoning)[number], ModelRequest, ModelChunk>({
      step,
      stages: scope.plan.arounds.reasoning,
      call: (stage, next, context) => stage.around(pre, next, context),
      newAttempt() {
        attempts.current += 1;
        lane.discard();
        reply.reset();
        feeding.taker = createModelFeed(host);
      },
      core: (asked) =>
        createSource<ModelChunk>({
          what: `model${asked.model === undefined ? '' : ` "${asked.model}"`}`,
          parent: step.lifetime,
          settings: scope.settings,
          start: (lifetime) =>
            model(
              asked,
              contextWith(() => lifetime.signal),
            ),
          whenIdle: (callback) => lane.whenIdle(callback),
          pushes: (pushes) => feeding.pushes(pushes),
        }),
    });
    return { start: () => ask.run(request), failureOf: ask.failureOf };
  });
}

function contextWith(signal: () => AbortSignal): { readonly signal: AbortSignal } {
  return {
    get signal() {
      return signal();
    },
  };
}
