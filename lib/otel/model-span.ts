import type { Attributes } from '@opentelemetry/api';
import type { Observable } from 'rxjs';
import { messageOf, propertyOf } from '../errors/describe-thrown.ts';
import type { EventOf } from '../events/hook-event.ts';
import type { Usage } from '../events/parts/usage.ts';
import type { ModelChunk } from '../pipeline/define/model.ts';
import { mark, type RunSpans } from './run-spans.ts';
import { GEN_AI, OWN } from './semconv.ts';
import { endStep, markFailed, measuredOf, recordError, type StepSpan } from './step-span.ts';
import type { TelemetryKit } from './telemetry-kit.ts';
import { withinContext } from './within-context.ts';

type Request = Pick<EventOf<'preReasoning'>, 'model' | 'options' | 'messages' | 'tools' | 'iteration'>;

/** Wraps one model request, which is an attempt of a step. Its span stays open until the answer has passed the hooks. */
export function traceModel(spans: RunSpans, request: Request, chunks$: Observable<ModelChunk>): Observable<ModelChunk> {
  const { kit } = spans;
  const deferred = kit.settings.llmSpans === 'defer';
  const metrics = deferred ? undefined : kit.metrics;
  return withinContext(kit.api, spans.ctx, chunks$, () => {
    closeModel(spans);
    const step = startModel(spans, request);
    spans.model = step;
    spans.calls.model += 1;
    let usage: Usage | undefined;
    let last: number | undefined;

    function over(): void {
      if (step.ended !== undefined) return;
      step.ended = performance.now();
      if (usage && !deferred && step.span.isRecording()) step.span.setAttributes(usageAttributes(usage));
      metrics?.modelEnded(measuredOf(step), step.ended - step.began, usage);
    }

    return {
      inner: step.ctx,
      next(chunk) {
        if (chunk.type === 'finish') usage = chunk.usage;
        else if (last === undefined) {
          last = performance.now();
          if (!deferred) step.span.setAttribute(GEN_AI.firstChunk, (last - step.began) / 1_000);
          metrics?.firstChunk(step.measured, last - step.began);
        } else if (metrics) {
          const now = performance.now();
          metrics.laterChunk(step.measured, now - last);
          last = now;
        }
      },
      error(thrown) {
        step.error = recordError(kit, step.span, thrown);
        markFailed(kit, step.span, step.error);
        if (!deferred) logFailure(kit, step, thrown);
        over();
        closeModel(spans);
      },
      complete: over,
      teardown() {
        over();
        // Nothing follows that would end it.
        if (spans.model !== step || !spans.span) endModel(spans, step);
      },
    };
  });
}

const WARN = { severityNumber: 13, severityText: 'WARN' } as const;

function logFailure({ logger, settings, errorType }: TelemetryKit, { measured, ctx }: StepSpan, thrown: unknown): void {
  if (!logger) return;
  const stack = propertyOf(thrown, 'stack');
  logger.emit({
    ...WARN,
    eventName: 'gen_ai.client.operation.exception',
    attributes: {
      ...measured,
      [GEN_AI.operation]: 'chat',
      'exception.type': errorType(thrown),
      'exception.message': settings.clean(messageOf(thrown)),
      ...(typeof stack === 'string' && { 'exception.stacktrace': settings.clean(stack) }),
    },
    context: ctx,
  });
}

function startModel(spans: RunSpans, { model, options, messages, tools, iteration }: Request): StepSpan {
  const { kit, run } = spans;
  const { api, tracer, content, settings } = kit;
  const measured: Attributes = {
    ...(settings.provider !== undefined && { [GEN_AI.provider]: settings.provider }),
    ...(model !== undefined && { [GEN_AI.requestModel]: model }),
  };
  const deferred = settings.llmSpans === 'defer';
  const span = tracer.startSpan(
    deferred ? `reasoning ${iteration}` : model === undefined ? 'chat' : `chat ${model}`,
    {
      kind: deferred ? api.SpanKind.INTERNAL : api.SpanKind.CLIENT,
      attributes: { [OWN.iteration]: iteration, ...(!deferred && { [GEN_AI.operation]: 'chat', ...measured }) },
    },
    spans.ctx,
  );
  const step = {
    span,
    measured,
    began: performance.now(),
    ctx: mark(api.trace.setSpan(spans.ctx, span), run),
  };
  if (deferred || !span.isRecording()) return step;
  span.setAttributes({
    [GEN_AI.conversation]: run.sessionId,
    'gen_ai.request.stream': true,
    ...(options.temperature !== undefined && { 'gen_ai.request.temperature': options.temperature }),
    ...(options.topP !== undefined && { 'gen_ai.request.top_p': options.topP }),
    ...(options.maxOutputTokens !== undefined && { 'gen_ai.request.max_tokens': options.maxOutputTokens }),
    ...(options.stop && { 'gen_ai.request.stop_sequences': [...options.stop] }),
    ...(options.seed !== undefined && { 'gen_ai.request.seed': options.seed }),
    ...(options.responseFormat && { 'gen_ai.output.type': options.responseFormat.type }),
  });
  const instructions = content?.instructions(messages);
  if (content)
    span.setAttributes({
      [GEN_AI.inputMessages]: content.messages(messages),
      ...(instructions !== undefined && { [GEN_AI.systemInstructions]: instructions }),
      ...(tools.length > 0 && { [GEN_AI.toolDefinitions]: content.tools(tools) }),
    });
  return step;
}

/** Completes the span with the answer as the hooks left it. */
export function modelAnswered(spans: RunSpans, { finishReason, message }: EventOf<'postReasoning'>): void {
  const { span } = spans.model ?? {};
  const reason = finishReasonOf(finishReason);
  spans.finishReason = reason;
  if (span?.isRecording()) {
    const { content, settings } = spans.kit;
    if (settings.llmSpans === 'emit') {
      span.setAttribute(GEN_AI.finishReasons, [reason]);
      if (content) span.setAttribute(GEN_AI.outputMessages, content.reply(message, reason));
    }
  }
  closeModel(spans);
}

/** Ends the span of the last model request, unless the request is still active. */
export function closeModel(spans: RunSpans, evenIfActive = false): void {
  const step = spans.model;
  if (!step || (step.ended === undefined && !evenIfActive)) return;
  endModel(spans, step);
}

function endModel(spans: RunSpans, step: StepSpan): void {
  if (spans.model === step) spans.model = undefined;
  // A span ends once; a second end would be reported.
  if (step.span.isRecording()) endStep(step);
}

/** In the spelling of the conventions. */
function finishReasonOf(reason: string): string {
  return reason.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Input tokens include cached ones, output tokens include reasoning. */
function usageAttributes(usage: Usage): Attributes {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage;
  return {
    [GEN_AI.inputTokens]: inputTokens,
    [GEN_AI.outputTokens]: outputTokens,
    ...(cachedInputTokens !== undefined && { [GEN_AI.cachedTokens]: cachedInputTokens }),
    ...(reasoningTokens !== undefined && { [GEN_AI.reasoningTokens]: reasoningTokens }),
  };
}
