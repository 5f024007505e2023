import type { Pipeline, PostReasoning, RunInfo } from '../../lib/index.ts';
import type { RunScope } from '../../lib/pipeline/run/run-scope.ts';
import { testScope } from '../../lib/testing/test-scope.ts';

/** The inside of a run on `pipeline`, for measuring a single gate without the phases around it. */
export function scopeOf({ hooks, options }: Pipeline): RunScope {
  return testScope(hooks, { runId: 'r', sessionId: 's', agent: 'a', depth: 0 }, options);
}

/** A fresh event as the reasoning phase makes it. */
export function postReasoningEvent(run: RunInfo): PostReasoning {
  return {
    type: 'postReasoning',
    run,
    iteration: 1,
    purpose: 'step',
    message: { role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] },
    finishReason: 'stop',
  };
}
