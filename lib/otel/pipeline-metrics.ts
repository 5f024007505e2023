import { processWide } from '../events/values/process-wide.ts';
import type { Pipeline } from '../pipeline/create-pipeline.ts';
import { PIPELINE } from '../pipeline/define/hook.ts';
import type { HookContext } from '../pipeline/define/hook-context.ts';
import { OWN } from './semconv.ts';
import type { TelemetryKit } from './telemetry-kit.ts';

const shared = processWide('otelPipelines', () => ({
  /** The revisions of the configurations that pipelines were created from. */
  revisions: new WeakMap<Pipeline, number>(),
  /** The dropped chunks that are counted already, by hook. */
  counted: new WeakMap<Pipeline, Readonly<Record<string, number>>>(),
}));

/** Records the revision of the configuration that a pipeline was created from, and returns the pipeline. */
export function withRevision(pipeline: Pipeline, revision: number): Pipeline {
  shared.revisions.set(pipeline, revision);
  return pipeline;
}

/** Measures the pipeline of a run that begins or ends. */
export function measurePipeline({ metrics }: TelemetryKit, context: HookContext): void {
  const pipeline = metrics && (context as { readonly [PIPELINE]?: Pipeline })[PIPELINE];
  if (!pipeline) return;
  const revision = shared.revisions.get(pipeline);
  if (revision !== undefined) metrics.configured(revision);
  const dropped = pipeline.droppedChunks();
  const before = shared.counted.get(pipeline) ?? {};
  shared.counted.set(pipeline, dropped);
  for (const [hook, chunks] of Object.entries(dropped)) {
    const more = chunks - (before[hook] ?? 0);
    if (more > 0) metrics.dropped(more, { [OWN.handler]: hook });
  }
}
