import type { Attributes } from '@opentelemetry/api';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { TraceStep } from '../pipeline/define/hook.ts';
import type { HookContext } from '../pipeline/define/hook-context.ts';
import { closeModel } from './model-span.ts';
import { forgetSpans, hostOf, isTraced, keepSpans, linkTo, mark, type RunSpans, savedSpanKey } from './run-spans.ts';
import { ERROR_TYPE, GEN_AI, OTHER_ERROR, OWN } from './semconv.ts';
import { markFailed, recordError } from './step-span.ts';
import type { TelemetryKit } from './telemetry-kit.ts';
import { closeTools } from './tool-span.ts';

type Begin = SettledEvent<EventOf<'preCall'>>;

/** Starts the span of a run. Returns undefined if another hook has done so. */
export function beginRun(
  kit: TelemetryKit,
  event: Begin,
  context: HookContext,
  steps: readonly TraceStep[],
): RunSpans | undefined {
  const { run } = event;
  if (isTraced(run)) return undefined;
  const { api, tracer, content } = kit;
  const host = hostOf(kit, run);
  const resumed = run.resumedFrom !== undefined;
  const saved = resumed ? context.state(savedSpanKey).get() : undefined;
  // The handlers of preCall belong to the run.
  const ms = steps.reduce((sum, step) => sum + step.ms, 0);
  const span = tracer.startSpan(
    `invoke_agent ${run.agent}`,
    {
      kind: api.SpanKind.INTERNAL,
      attributes: attributesOf(kit, event),
      ...(ms > 0 && { startTime: Math.max(0, performance.now() - ms) }),
      ...(saved && { links: linkTo(saved) }),
    },
    host,
  );
  const recording = span.isRecording();
  const cell = recording || resumed ? context.state(savedSpanKey) : undefined;
  if (recording) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    cell?.set({ span: { traceId, spanId, traceFlags }, pending: saved?.pending ?? {} });
    const instructions = content?.instructions(event.messages);
    if (content)
      span.setAttributes({
        [GEN_AI.inputMessages]: content.messages(event.messages),
        ...(instructions !== undefined && { [GEN_AI.systemInstructions]: instructions }),
      });
  }
  const ctx = mark(api.trace.setSpan(host, span), run, host);
  return keepSpans({ kit, run, span, ctx, host, cell });
}

/** The attributes that a sampler sees. */
function attributesOf({ settings: { semconv, provider } }: TelemetryKit, { run }: Begin): Attributes {
  return {
    [GEN_AI.operation]: 'invoke_agent',
    [GEN_AI.agent]: run.agent,
    [GEN_AI.conversation]: run.sessionId,
    [OWN.run]: run.runId,
    ...(semconv === 'v1.41' && provider !== undefined && { [GEN_AI.provider]: provider }),
    ...(run.resumedFrom !== undefined && { [OWN.resumedFrom]: run.resumedFrom }),
  };
}

/** Ends the span of a run and all spans that are still open, innermost first. */
export function endRun(spans: RunSpans, event: EventOf<'postCall'>): void {
  const { kit, run, span, calls } = spans;
  const { outcome, usage, message, reason } = event;
  closeModel(spans, true);
  closeTools(spans, outcome);
  forgetSpans(spans);
  const measured: Attributes = { [GEN_AI.agent]: run.agent };
  const failed = outcome === 'failed';
  if (failed) {
    const failure = spans.failure ?? { name: OTHER_ERROR, message: reason };
    const error = span ? recordError(kit, span, failure) : { type: kit.errorType(failure) };
    if (span) markFailed(kit, span, error);
    measured[ERROR_TYPE] = error.type;
  }
  if (span?.isRecording()) {
    span.setAttribute(OWN.runOutcome, outcome);
    // The totals of the run; the details are on its model requests.
    if (usage)
      span.setAttributes({ [GEN_AI.inputTokens]: usage.inputTokens, [GEN_AI.outputTokens]: usage.outputTokens });
    if (spans.finishReason !== undefined) span.setAttribute(GEN_AI.finishReasons, [spans.finishReason]);
    if (message && kit.content)
      span.setAttribute(GEN_AI.outputMessages, kit.content.reply(message, spans.finishReason ?? 'stop'));
  }
  span?.end();
  if (span) kit.metrics?.runEnded(measured, performance.now() - spans.began, calls);
}
