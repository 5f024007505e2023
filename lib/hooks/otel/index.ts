export { otel } from './otel.ts';
export {
  type OtelContext,
  type OtelLoggerProvider,
  type OtelMeterProvider,
  type OtelOptions,
  type OtelTracerProvider,
  otelOptionsSchema,
} from './otel-options.ts';
