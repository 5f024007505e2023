import type { Attributes, Context, Span } from '@opentelemetry/api';
import { messageOf, propertyOf } from '../errors/describe-thrown.ts';
import { ERROR_TYPE } from './semconv.ts';
import type { TelemetryKit } from './telemetry-kit.ts';

/** The open span of a model request or a tool call. Times are those of `performance.now()`, so that a span ends when its step did. */
export interface StepSpan {
  readonly span: Span;
  /** The context in which the step runs. */
  readonly ctx: Context;
  readonly began: number;
  /** The attributes of its metrics. */
  readonly measured: Attributes;
  /** The time of the end of the step. Its span is open until the result is known. */
  ended?: number | undefined;
  error?: SpanError | undefined;
}

/** An error, safe to export. */
export interface SpanError {
  readonly type: string;
  readonly message?: string;
}

/** Records an exception. The texts of errors may contain secrets. */
export function recordError({ errorType, settings }: TelemetryKit, span: Span, thrown: unknown): SpanError {
  const type = errorType(thrown);
  if (!span.isRecording()) return { type };
  const message = settings.clean(messageOf(thrown));
  const stack = propertyOf(thrown, 'stack');
  span.recordException({ name: type, message, ...(typeof stack === 'string' && { stack: settings.clean(stack) }) });
  return { type, message };
}

/** Marks a span as failed, unless it has ended. */
export function markFailed({ api }: TelemetryKit, span: Span, { type, message }: SpanError): void {
  if (!span.isRecording()) return;
  span.setAttribute(ERROR_TYPE, type);
  span.setStatus({ code: api.SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
}

export function measuredOf({ measured, error }: StepSpan): Attributes {
  return error ? { ...measured, [ERROR_TYPE]: error.type } : measured;
}

/** Ends the span at the end of its step. */
export function endStep(step: StepSpan): void {
  step.span.end(step.ended ?? performance.now());
}
