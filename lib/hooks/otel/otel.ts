import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import { profileOfEnvironment } from '../../otel/semconv.ts';
import { createTelemetry } from '../../otel/telemetry.ts';
import type { LoggerProvider } from '../../otel/telemetry-settings.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { usualRedactor } from '../usual-redactor.ts';
import { switchesOff, weakensUnless } from '../weakens-unless.ts';
import { type OtelOptions, otelOptionsSchema } from './otel-options.ts';

/** Inside all usual wrappers: each attempt has its span, with its model. */
const INNERMOST = 960;

/**
 * Emits OpenTelemetry spans and metrics by the GenAI conventions: `invoke_agent`, `chat` and `execute_tool`, and in the namespace `hookline` the
 * hooks that were slow, failed, changed or decided, the waits for approvals, and the calls that did not run.
 *
 * Requires the package `@opentelemetry/api`. Your application registers an SDK before the first run. If the hook fails, the run continues. This
 * is logged.
 *
 * - Parallel calls: Each call has its own span.
 * - Sub-agents: The spans of a sub-agent are under the call that started it.
 * - Retry: Each model request has its own `chat` span. The attempts of a call share one `execute_tool` span.
 * - Suspend and resume: The span of a resumed run has a link to that of the suspended run.
 * - Cost: One span for each step. Unless `hooks` is off, it reads the trace of each event.
 */
export function otel(options: OtelOptions = {}): Hook {
  const parsed = parseHookOptions('otel', otelOptionsSchema, options);
  const { name, redact, semconv = profileOfEnvironment(), provider, parent } = parsed;
  const { tracerProvider, meterProvider, loggerProvider } = parsed;
  const redactor = redact === true ? usualRedactor() : redact || undefined;
  const { around, observe } = createTelemetry({
    ...parsed,
    semconv,
    provider,
    parent,
    tracerProvider: tracerProvider as TracerProvider | undefined,
    meterProvider: meterProvider as MeterProvider | undefined,
    loggerProvider: loggerProvider as LoggerProvider | undefined,
    clean: (text) => redactor?.redact(text).text ?? text,
  });
  return defineHook({
    name,
    description: 'Emits OpenTelemetry spans and metrics.',
    priority: HookPriority.METRICS,
    aroundPriority: INNERMOST,
    onFailure: 'skip',
    traced: parsed.hooks !== 'off',
    around,
    observe,
  });
}

/** @internal The catalogue entry of `otel`. */
export const otelEntry = defineCatalogueEntry({
  name: 'otel',
  description: 'Emits OpenTelemetry spans and metrics of runs, model requests, tool calls, hooks and approvals.',
  events: eventTypes,
  approves: false,
  onePerAgent: true,
  optionsSchema: otelOptionsSchema,
  example: { provider: 'openai' },
  weakens: weakensUnless({ slowMs: 'mayFall', redact: switchesOff }, ['semconv', 'provider']),
  create: otel,
});
