import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect } from 'chai';
import { otel } from '../../../lib/hooks/otel/index.ts';
import { createAgent, createPipeline, defineHook, defineTool, verdict } from '../../../lib/index.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';

/** The messages of OTLP, generated from the protocol of OpenTelemetry. */
const { opentelemetry } = require('otlp-proto/build/src/generated/root');
const { trace, metrics } = opentelemetry.proto.collector;
const requests: Readonly<
  Record<string, { decode(body: Buffer): unknown; toObject(message: unknown, options: object): Decoded }>
> = {
  '/v1/traces': trace.v1.ExportTraceServiceRequest,
  '/v1/metrics': metrics.v1.ExportMetricsServiceRequest,
};

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface Span {
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceId: string;
  readonly name: string;
  readonly kind: string;
  readonly attributes: readonly Attribute[];
  readonly events: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
}
interface Decoded {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string; readonly unit: string }[] }[];
  }[];
}

/** A receiver of OTLP over HTTP that decodes what it gets. */
async function receiver() {
  const got: Decoded[] = [];
  const server = createServer(async (request, response) => {
    const type = requests[request.url ?? ''];
    const body = await buffer(request);
    if (type && request.headers['content-type'] === 'application/x-protobuf')
      got.push(type.toObject(type.decode(body), { bytes: String, enums: String, longs: Number, defaults: true }));
    response.writeHead(type ? 200 : 404, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { got, url, close: () => server.close() };
}

const attributeOf = (attributes: readonly Attribute[], name: string): unknown =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

describe('otel over OTLP/HTTP', () => {
  it('is decoded by the protocol of OpenTelemetry, each span once', async () => {
    const { got, url, close } = await receiver();
    try {
      const traces = new OTLPTraceExporter({ url: `${url}/v1/traces` });
      const tracerProvider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(traces as never)] });
      const measures = new OTLPMetricExporter({ url: `${url}/v1/metrics` });
      const reader = new PeriodicExportingMetricReader({
        exporter: measures as never,
        exportIntervalMillis: 3_600_000,
      });
      const meterProvider = new MeterProvider({ readers: [reader] });
      const guard = defineHook({ name: 'guard', match: { tools: ['wipe'] }, approve: () => verdict.deny('no') });
      const tool = (name: string) =>
        defineTool({ name, description: name, inputSchema: { type: 'object' }, execute: () => 'done' });
      const call = (name: string) => ({ toolCalls: [{ name, input: {} }], usage: { inputTokens: 7, outputTokens: 2 } });
      const agent = createAgent({
        name: 'scout',
        tools: [tool('look'), tool('wipe')],
        model: scriptedModel([call('look'), call('wipe'), 'done']),
        pipeline: createPipeline([otel({ tracerProvider, meterProvider, provider: 'openai' }), guard]),
      });
      await agent.call('go');
      await tracerProvider.shutdown();
      await meterProvider.shutdown();

      const spans = got.flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
      );
      expect(spans.map(({ name }) => name)).to.have.members([
        'invoke_agent scout',
        'chat scripted',
        'execute_tool look',
        'chat scripted',
        'hook approve guard',
        'chat scripted',
      ]);
      expect(new Set(spans.map(({ spanId }) => spanId)).size).to.equal(spans.length);
      const run = spans.find(({ name }) => name.startsWith('invoke_agent'));
      for (const span of spans.filter((one) => one !== run)) {
        expect(span.parentSpanId, span.name).to.equal(run?.spanId);
        expect(span.traceId).to.equal(run?.traceId);
      }
      const chat = spans.find(({ name }) => name.startsWith('chat'));
      expect(chat?.kind).to.equal('SPAN_KIND_CLIENT');
      expect(attributeOf(chat?.attributes ?? [], 'gen_ai.usage.input_tokens')).to.equal(7);
      expect(attributeOf(chat?.attributes ?? [], 'gen_ai.provider.name')).to.equal('openai');
      expect(
        run?.events.map(({ name, attributes }) => [name, attributeOf(attributes, 'hookline.decision.source')]),
      ).to.deep.equal([['hookline.tool.decision', 'policy']]);
      const names = got.flatMap(({ resourceMetrics = [] }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)),
      );
      expect(names.map(({ name, unit }) => `${name} ${unit}`)).to.include.members([
        'gen_ai.client.operation.duration s',
        'gen_ai.client.token.usage {token}',
        'hookline.handler.duration s',
      ]);
    } finally {
      close();
    }
  });
});
