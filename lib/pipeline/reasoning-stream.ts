import { Observable } from 'rxjs';
import type { Settled } from '../events/hook-event.ts';
import type { PreReasoning } from '../events/pre-reasoning.ts';
import type { ReasoningChunk } from '../events/reasoning-chunk.ts';
import { wrapStep } from './around.ts';
import { createLane } from './lane.ts';
import type { Model, ModelChunk, ModelRequest } from './model.ts';
import { createModelFeed } from './model-feed.ts';
import type { Reply } from './reply.ts';
import { settle } from './run-scope.ts';
import { createSink } from './sink.ts';
import { createSource } from './source.ts';
import { StepFailure } from './step-failure.ts';
import type { StepScope } from './step-scope.ts';

/** Counts the attempts of one step; chunks carry the number. */
export interface Attempts {
  current: number;
}

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
  return new Observable<never>((subscriber) => {
    let over = false;
    let pushed = true;

    const halt = (): void => {
      over = true;
      sink.unsubscribe();
    };
    const fail = (failure: StepFailure): void => {
      halt();
      lane.close();
      subscriber.error(failure);
    };
    const lane = createLane<ReasoningChunk>(step, scope.plan.lanes.reasoningChunk, () => pushed, {
      left(chunk) {
        reply.left(chunk);
        step.emit(settle(scope, chunk));
      },
      finished() {
        reply.stopped = true;
        halt();
      },
      aborted(chunk) {
        if (chunk.decision?.action === 'abort') reply.aborted = chunk.decision;
        halt();
        lane.close();
        step.emit(settle(scope, chunk));
        subscriber.complete();
      },
      failed: (failure) => fail(failure),
      drained: () => subscriber.complete(),
    });

    /** Does `action` when the lane has dealt with all that came before, unless that has put an end to the attempt. */
    const inTurn = (action: () => void): void => {
      const attempt = attempts.current;
      lane.whenIdle(() => {
        if (over || attempts.current !== attempt) return;
        try {
          action();
        } catch (thrown) {
          fail(new StepFailure('model', thrown));
        }
      });
    };
    const startFeed = () =>
      createModelFeed(
        (template) => lane.open(template),
        (part, block, toolCallId) => ({
          type: 'reasoningChunk',
          run: scope.info,
          iteration: pre.iteration,
          part,
          delta: '',
          block,
          ...(toolCallId !== undefined && { toolCallId }),
          attempt: attempts.current,
          last: false,
        }),
        reply,
        inTurn,
      );
    let feed = startFeed();

    const request: ModelRequest = {
      messages: pre.messages,
      tools: pre.tools,
      ...(pre.model !== undefined && { model: pre.model }),
      options: pre.options,
    };
    const ask = wrapStep<(typeof scope.plan.arounds.reasoning)[number], ModelRequest, ModelChunk>({
      step,
      stages: scope.plan.arounds.reasoning,
      call: (stage, next, context) => stage.around(pre, next, context),
      newAttempt() {
        attempts.current += 1;
        lane.discard();
        reply.reset();
        feed = startFeed();
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
          whenIdle: lane.whenIdle,
          pushes: (pushes) => {
            pushed = pushes;
          },
        }),
    });

    const sink = createSink<ModelChunk>({
      next(chunk) {
        if (over) return;
        try {
          feed.take(chunk);
        } catch (thrown) {
          fail(new StepFailure('model', thrown));
        }
      },
      error(thrown) {
        if (!over) fail(ask.failureOf(thrown));
      },
      complete() {
        if (!over) lane.end();
      },
    });
    subscriber.add(() => {
      halt();
      lane.close();
    });
    subscriber.add(
      step.lifetime.onCancel(() => {
        halt();
        lane.close();
        subscriber.complete();
      }),
    );
    if (!over) ask.run(request).subscribe(sink);
  });
}

function contextWith(signal: () => AbortSignal): { readonly signal: AbortSignal } {
  return {
    get signal() {
      return signal();
    },
  };
}
