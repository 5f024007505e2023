import { isChunk } from '../events/chunk-text.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { TraceStep, Wrappers } from '../pipeline/define/hook.ts';
import type { HookContext } from '../pipeline/define/hook-context.ts';
import { callDecided } from './decisions.ts';
import { traceHooks } from './hook-spans.ts';
import { modelAnswered, traceModel } from './model-span.ts';
import { measurePipeline } from './pipeline-metrics.ts';
import { beginRun, endRun } from './run-span.ts';
import { type RunSpans, spansFor, spansOf } from './run-spans.ts';
import { recordError } from './step-span.ts';
import { createTelemetryKit } from './telemetry-kit.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';
import { toolEnded, traceTool } from './tool-span.ts';
import { inContext } from './within-context.ts';

/** The handlers of a hook that emits spans and metrics. */
export interface Telemetry {
  readonly around: Wrappers;
  observe(event: SettledEvent, context: HookContext, steps?: readonly TraceStep[]): void;
}

const NONE: readonly TraceStep[] = [];

/** Creates the telemetry of one hook. Throws `OPTIONS_INVALID` if `@opentelemetry/api` is missing. */
export function createTelemetry(settings: TelemetrySettings): Telemetry {
  const kit = createTelemetryKit(settings);
  return {
    around: {
      reasoning(event, next, { dryRun }) {
        const spans = dryRun ? undefined : spansFor(kit, event.run);
        if (!spans) return next();
        return spans.measured ? traceModel(spans, event, next()) : inContext(kit.api, spans.ctx, next());
      },
      acting(event, next, { dryRun }) {
        const spans = dryRun ? undefined : spansFor(kit, event.run);
        if (!spans) return next();
        return spans.measured ? traceTool(spans, event, next()) : inContext(kit.api, spans.ctx, next());
      },
    },
    observe(event, context, steps = NONE) {
      if (steps.length === 0 && isChunk(event)) return;
      const isEdge = event.type === 'preCall' || event.type === 'postCall';
      if (isEdge && !context.dryRun) measurePipeline(kit, context);
      if (event.type === 'preCall') {
        const begun = context.dryRun ? undefined : beginRun(kit, event, context, steps);
        if (begun && steps.length > 0) traceHooks(begun, event, steps);
        return;
      }
      const spans = spansOf(kit, event.run);
      if (!spans || (!spans.measured && event.type !== 'postCall')) return;
      if (steps.length > 0) traceHooks(spans, event, steps);
      take(spans, event, steps);
    },
  };
}

function take(spans: RunSpans, event: SettledEvent, steps: readonly TraceStep[]): void {
  switch (event.type) {
    case 'preReasoning':
      spans.shown.clear();
      break;
    case 'postReasoning':
      modelAnswered(spans, event);
      break;
    case 'preActing':
      callDecided(spans, event, steps);
      break;
    case 'postActing':
      toolEnded(spans, event);
      break;
    case 'error':
      failed(spans, event);
      break;
    case 'postCall':
      endRun(spans, event);
      break;
  }
}

/** The failure of a model request is on its span already, with the error as the model threw it. */
function failed(spans: RunSpans, event: EventOf<'error'>): void {
  spans.failure = event.error;
  const step = event.phase === 'acting' ? spans.tools.get(event.toolCall.id) : undefined;
  if (step) step.error = recordError(spans.kit, step.span, event.error);
}
