export { otel } from './otel.ts';
export { type OtelOptions, otelOptionsSchema } from './otel-options.ts';
