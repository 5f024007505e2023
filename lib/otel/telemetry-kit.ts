import type { Tracer } from '@opentelemetry/api';
import { type ContentFormat, createContentFormat } from './content.ts';
import { createErrorTypes } from './error-type.ts';
import { loadApi, type OtelApi } from './load-api.ts';
import { createMetrics, type OtelMetrics } from './metrics.ts';
import type { LoggerProvider, TelemetrySettings } from './telemetry-settings.ts';

/** The dependencies of the spans and metrics of one hook. */
export interface TelemetryKit {
  readonly api: OtelApi;
  readonly settings: TelemetrySettings;
  readonly tracer: Tracer;
  /** Undefined without an SDK for metrics. */
  readonly metrics: OtelMetrics | undefined;
  readonly logger: ReturnType<LoggerProvider['getLogger']> | undefined;
  readonly content: ContentFormat | undefined;
  readonly errorType: (error: unknown) => string;
}

/** Throws `OPTIONS_INVALID` if `@opentelemetry/api` is missing. */
export function createTelemetryKit(settings: TelemetrySettings): TelemetryKit {
  const api = loadApi(settings.name);
  const { tracerProvider, meterProvider, loggerProvider, semconv } = settings;
  let metrics: OtelMetrics | undefined;
  return {
    api,
    settings,
    // The global tracer waits for its SDK.
    tracer: (tracerProvider ?? api.trace).getTracer('hookline'),
    // Unlike tracers, instruments created before the SDK stay without effect.
    get metrics() {
      metrics ??= createMetrics(api, meterProvider, semconv);
      return metrics;
    },
    logger: loggerProvider?.getLogger('hookline'),
    content: createContentFormat(settings),
    errorType: createErrorTypes(),
  };
}
