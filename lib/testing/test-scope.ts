import type { RunInfo } from '../events/run-info.ts';
import { createPipeline } from '../pipeline/create-pipeline.ts';
import type { Hook } from '../pipeline/hook.ts';
import { createLifetime } from '../pipeline/lifetime.ts';
import type { PipelineOptions } from '../pipeline/pipeline.ts';
import { compilePlan } from '../pipeline/plan.ts';
import type { RunScope } from '../pipeline/run-scope.ts';
import { toSettings } from '../pipeline/settings.ts';
import { createStateStore } from '../pipeline/state.ts';

/** The scope of a run that has no model and no tools: just enough to send single events through hooks. */
export function testScope(hooks: readonly Hook[], info: RunInfo, options: PipelineOptions): RunScope {
  const settings = toSettings(options);
  const pipeline = createPipeline(hooks, options);
  return {
    info,
    plan: compilePlan(pipeline.hooks, info.agent),
    settings,
    lifetime: createLifetime(),
    state: createStateStore(),
    dryRun: false,
    tracer: undefined,
    deliver: undefined,
    mediaStore: undefined,
    log: settings.log,
    transcript: () => [],
    // A sub-agent that a hook runs gets a run of its own.
    children: {
      forHook: () => (agent, input, own) => {
        throw new Error(
          `context.child(${agent.name}, ${JSON.stringify(input)}, ${JSON.stringify(own)}) needs a whole run.`,
        );
      },
    },
    publish: () => {},
    leases: new Array(pipeline.hooks.length),
    queues: undefined,
    suspendedChildren: undefined,
    iteration: 1,
    seq: 0,
    retries: 0,
    fatal: undefined,
    recovered: undefined,
    unfinished: undefined,
  };
}
