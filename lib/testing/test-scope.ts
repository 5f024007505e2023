import type { RunInfo } from '../events/parts/run-info.ts';
import { createPipeline } from '../pipeline/create-pipeline.ts';
import type { Hook } from '../pipeline/define/hook.ts';
import type { RunChild } from '../pipeline/define/hook-context.ts';
import { compilePlan } from '../pipeline/define/plan.ts';
import { askModel } from '../pipeline/phases/ask-model.ts';
import { RunScope } from '../pipeline/run/run-scope.ts';
import { type PipelineOptions, toSettings } from '../pipeline/settings.ts';

/** Creates the scope of a run without model and tools, which is enough to send single events through hooks. */
export function testScope(hooks: readonly Hook[], info: RunInfo, options: PipelineOptions): RunScope {
  const pipeline = createPipeline(hooks, options);
  const plan = compilePlan(pipeline.hooks, info.agent);
  const settings = toSettings(options);
  const ignore = (): void => {};
  const host = { pipeline, plan, settings, tracer: undefined, publish: ignore, relay: ignore, ask: askModel, childFor };
  return new RunScope(host, info, { iteration: 1 });
}

/** A sub-agent of a hook gets a separate run. */
function childFor(): RunChild {
  return ({ name }, input, options) => {
    throw new Error(`context.child(${name}, ${JSON.stringify(input)}, ${JSON.stringify(options)}) needs a whole run.`);
  };
}
