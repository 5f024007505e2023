export { otel } from './otel.ts';
export {
  type OtelContext,
  type OtelMeterProvider,
  type OtelOptions,
  type OtelTracerProvider,
  otelOptionsSchema,
} from './otel-options.ts';
