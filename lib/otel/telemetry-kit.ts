import type { Tracer } from '@opentelemetry/api';
import { propertyOf } from '../errors/describe-thrown.ts';
import { type ContentFormat, createContentFormat } from './content.ts';
import { loadApi, type OtelApi } from './load-api.ts';
import { createMetrics, type OtelMetrics } from './metrics.ts';
import { OTHER_ERROR } from './semconv.ts';
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

/** A name of a class or a code. Messages and identifiers with long numbers do not match. */
const LOW_CARDINALITY = /^(?!.*\d{4})[A-Za-z_$][\w$.-]{0,63}$/;
const MOST_TYPES = 100;

/** Creates a function that returns `error.type` of an error: its code, or its class. Further types above the limit are `_OTHER`. */
function createErrorTypes(): (error: unknown) => string {
  const known = new Set<string>();
  return (error) => {
    const type = [propertyOf(error, 'code'), propertyOf(error, 'name')].find(
      (name): name is string => typeof name === 'string' && LOW_CARDINALITY.test(name),
    );
    if (type === undefined || (known.size >= MOST_TYPES && !known.has(type))) return OTHER_ERROR;
    known.add(type);
    return type;
  };
}
