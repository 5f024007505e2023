import { context, DiagLogLevel, diag } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Span,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** The warnings and errors of the API during the specs of a suite. */
export function misuses(): string[] {
  const misused: string[] = [];
  before(() => {
    const note = (...told: unknown[]) => void misused.push(told.map(String).join(' '));
    const ignore = () => {};
    diag.setLogger({ error: note, warn: note, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  });
  after(() => diag.disable());
  return misused;
}

/** An SDK whose spans and metrics stay in memory, and its open spans. */
export function memorySdk() {
  const exporter = new InMemorySpanExporter();
  const open = new Set<string>();
  const ended: string[] = [];
  const processor: SpanProcessor = {
    onStart: (span: Span) => void open.add(idOf(span)),
    onEnd(span: ReadableSpan) {
      ended.push(idOf(span));
      open.delete(idOf(span));
      exporter.export([span], () => {});
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [processor] });
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  return {
    tracerProvider,
    meterProvider,
    open,
    ended,
    spans: () => exporter.getFinishedSpans(),
    span: (name: string) => exporter.getFinishedSpans().find((one) => one.name === name) as ReadableSpan,
    names: () => exporter.getFinishedSpans().map(({ name }) => name),
    /** The names of the spans, each under its parent. */
    tree: () => treeOf(exporter.getFinishedSpans()),
    async points() {
      await reader.forceFlush();
      const [last] = metrics.getMetrics().slice(-1);
      return (last?.scopeMetrics ?? [])
        .flatMap((scope) => scope.metrics)
        .flatMap(({ descriptor, dataPoints }) =>
          dataPoints.map(({ attributes, value }) => ({
            name: descriptor.name,
            unit: descriptor.unit,
            attributes,
            value,
          })),
        );
    },
  };
}

const idOf = (span: Pick<ReadableSpan, 'spanContext'>) => span.spanContext().spanId;

/** In the order in which the spans began. */
function treeOf(spans: readonly ReadableSpan[], parent?: string): readonly unknown[] {
  const known = new Set(spans.map(idOf));
  return spans
    .filter(({ parentSpanContext }) =>
      parent === undefined ? !known.has(parentSpanContext?.spanId ?? '') : parentSpanContext?.spanId === parent,
    )
    .map((span) => {
      const children = treeOf(spans, idOf(span));
      return children.length > 0 ? { [span.name]: children } : span.name;
    });
}

/** Keeps the active context across asynchronous code, in the specs of the current suite. */
export function withContextManager(): void {
  before(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
  after(() => context.disable());
}
