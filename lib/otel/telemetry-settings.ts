import type { Attributes, Context, MeterProvider, TracerProvider } from '@opentelemetry/api';
import type { RunInfo } from '../events/parts/run-info.ts';
import type { SemconvProfile } from './semconv.ts';

/** The part of a `LoggerProvider` of `@opentelemetry/api-logs` that is used. */
export interface LoggerProvider {
  getLogger(name: string, version?: string): { emit(record: LogRecord): void };
}

export interface LogRecord {
  readonly eventName: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly attributes: Attributes;
  readonly context: Context;
}

/** The settings of the telemetry of one hook. */
export interface TelemetrySettings {
  readonly name: string;
  readonly semconv: SemconvProfile;
  readonly llmSpans: 'emit' | 'defer';
  readonly hooks: 'notable' | 'all' | 'off';
  readonly slowMs: number;
  readonly content: boolean;
  readonly maxContentChars: number;
  /** Removes secrets from texts. */
  readonly clean: (text: string) => string;
  readonly provider: string | undefined;
  readonly parent: ((run: RunInfo) => Context | undefined) | undefined;
  /** Default: the global ones. */
  readonly tracerProvider: TracerProvider | undefined;
  readonly meterProvider: MeterProvider | undefined;
  /** Without it, there are no log records. */
  readonly loggerProvider: LoggerProvider | undefined;
}
