import { z } from 'zod';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { semconvProfiles } from '../../otel/semconv.ts';
import { redactOption } from '../text/redact-option.ts';

// The types of `@opentelemetry/api` are repeated here: programs that do not have the optional package must compile, too.
/** A `Context` of `@opentelemetry/api`. */
export interface OtelContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): OtelContext;
  deleteValue(key: symbol): OtelContext;
}
/** A `TracerProvider` of `@opentelemetry/api`. */
export interface OtelTracerProvider {
  getTracer(name: string, version?: string): object;
}
/** A `MeterProvider` of `@opentelemetry/api`. */
export interface OtelMeterProvider {
  getMeter(name: string, version?: string): object;
}

/** A `LoggerProvider` of `@opentelemetry/api-logs`. */
export interface OtelLoggerProvider {
  getLogger(name: string, version?: string): object;
}

const providerOf = <T>(method: string, what: string) =>
  z.custom<T>(
    (value) => typeof (value as Record<string, unknown> | null)?.[method] === 'function',
    `must be a ${what}`,
  );

/** The options of `otel` with their defaults. */
export const otelOptionsSchema = z.strictObject({
  name: z.string().min(1).default('otel').describe('Name of the hook.'),
  semconv: z
    .enum(semconvProfiles)
    .exactOptional()
    .describe(
      'Names of the GenAI conventions (default: v1.41, or latest if OTEL_SEMCONV_STABILITY_OPT_IN contains gen_ai_latest_experimental).',
    ),
  llmSpans: z
    .enum(['emit', 'defer'])
    .default('emit')
    .describe(
      'With defer, model requests have no chat spans and no gen_ai.client metrics. Use it if your model client is instrumented.',
    ),
  hooks: z
    .enum(['notable', 'all', 'off'])
    .default('notable')
    .describe(
      'Spans of hooks. With notable, only if the hook was slow, failed, changed or decided. With off, also no approval spans and no trace.',
    ),
  slowMs: z.number().positive().default(100).describe('Duration in milliseconds from which a hook is slow.'),
  content: z.boolean().default(false).describe('Adds messages, arguments and results to the spans.'),
  maxContentChars: z.int().positive().default(10_000).describe('Maximum characters of each text in content.'),
  redact: redactOption(' of content, reasons and error messages'),
  provider: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Name of the model provider, such as openai or anthropic, for gen_ai.provider.name.'),
  parent: z
    .custom<(run: RunInfo) => OtelContext | undefined>((value) => typeof value === 'function', 'must be a function')
    .exactOptional()
    .describe('Returns the parent context of a top-level run (default: the active context).'),
  tracerProvider: providerOf<OtelTracerProvider>('getTracer', 'TracerProvider')
    .exactOptional()
    .describe('Creates the spans (default: the global provider).'),
  meterProvider: providerOf<OtelMeterProvider>('getMeter', 'MeterProvider')
    .exactOptional()
    .describe('Creates the metrics (default: the global provider).'),
  loggerProvider: providerOf<OtelLoggerProvider>('getLogger', 'LoggerProvider')
    .exactOptional()
    .describe('Receives a log record of each failed model request (default: none).'),
});

/** The options of `otel` before defaults; all are optional. */
export type OtelOptions = z.input<typeof otelOptionsSchema>;
