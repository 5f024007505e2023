import type { Pipeline, PostReasoning, RunInfo } from '../../lib/index.ts';
import { createLifetime } from '../../lib/pipeline/lifetime.ts';
import { compilePlan } from '../../lib/pipeline/plan.ts';
import type { RunScope } from '../../lib/pipeline/run-scope.ts';
import { toSettings } from '../../lib/pipeline/settings.ts';
import { createStateStore } from '../../lib/pipeline/state.ts';

/** The inside of a run on `pipeline`, for measuring a single gate without the phases around it. */
export function scopeOf(pipeline: Pipeline): RunScope {
  const settings = toSettings(pipeline.options);
  return {
    info: { runId: 'r', sessionId: 's', agent: 'a', depth: 0 },
    plan: compilePlan(pipeline.hooks, 'a'),
    settings,
    lifetime: createLifetime(),
    state: createStateStore(),
    dryRun: false,
    tracer: undefined,
    deliver: undefined,
    mediaStore: undefined,
    log: settings.log,
    transcript: () => [],
    childFor: () => {
      throw new Error('no sub-agents here');
    },
    publish: () => {},
    leases: new Array(pipeline.hooks.length),
    queues: undefined,
    suspendedChildren: undefined,
    iteration: 1,
    seq: 0,
    fatal: undefined,
    recovered: undefined,
    unfinished: () => undefined,
    retries: 0,
  };
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
