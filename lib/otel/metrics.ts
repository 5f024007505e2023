import type { Attributes, Histogram, Meter, MeterProvider } from '@opentelemetry/api';
import type { Usage } from '../events/parts/usage.ts';
import type { OtelApi } from './load-api.ts';
import { GEN_AI, type SemconvProfile } from './semconv.ts';

/** The bucket boundaries that the conventions recommend, in seconds and tokens. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** The instruments of one hook. Durations are in milliseconds. */
export interface OtelMetrics {
  modelEnded(attributes: Attributes, ms: number, usage: Usage | undefined): void;
  firstChunk(attributes: Attributes, ms: number): void;
  laterChunk(attributes: Attributes, ms: number): void;
  toolEnded(attributes: Attributes, ms: number): void;
  runEnded(attributes: Attributes, ms: number, calls: { readonly model: number; readonly tool: number }): void;
  handled(attributes: Attributes, ms: number): void;
  waited(attributes: Attributes, ms: number): void;
  pending(change: 1 | -1, attributes: Attributes): void;
  dropped(chunks: number, attributes: Attributes): void;
  configured(revision: number): void;
}

/** Returns undefined if no SDK is registered. Then no values are computed. */
export function createMetrics(
  api: OtelApi,
  provider: MeterProvider | undefined,
  profile: SemconvProfile,
): OtelMetrics | undefined {
  const meter = (provider ?? api.metrics).getMeter('hookline');
  if (meter === api.createNoopMeter()) return undefined;
  const waited = seconds(meter, 'hookline.approval.wait.duration', 'Time from an approval prompt to its answer.');
  const handled = seconds(meter, 'hookline.handler.duration', 'Time of a hook for one event.');
  const pending = meter.createUpDownCounter('hookline.approvals.pending', {
    description: 'Calls that wait for approval, also in suspended runs.',
    unit: '{call}',
  });
  const dropped = meter.createCounter('hookline.events.dropped', {
    description: 'Chunks that an observer missed because it was too slow.',
    unit: '{event}',
  });
  const revision = meter.createGauge('hookline.config.revision', {
    description: 'Number of the configuration that the last run used.',
  });
  return {
    ...(profile === 'latest' ? latestMetrics(meter) : olderMetrics(meter)),
    handled: (attributes, ms) => handled.record(ms / 1_000, attributes),
    waited: (attributes, ms) => waited.record(ms / 1_000, attributes),
    pending: (change, attributes) => pending.add(change, attributes),
    dropped: (chunks, attributes) => dropped.add(chunks, attributes),
    configured: (number) => revision.record(number),
  };
}

type ConventionMetrics = Omit<OtelMetrics, 'handled' | 'waited' | 'pending' | 'dropped' | 'configured'>;

function olderMetrics(meter: Meter): ConventionMetrics {
  const tokens = tokenHistogram(meter, 'gen_ai.client.token.usage', 'Number of input and output tokens used.');
  return {
    ...modelTimes(meter, 'gen_ai.client.operation', (attributes, usage) => {
      tokens.record(usage.inputTokens, { ...attributes, 'gen_ai.token.type': 'input' });
      tokens.record(usage.outputTokens, { ...attributes, 'gen_ai.token.type': 'output' });
    }),
    toolEnded() {},
    runEnded() {},
  };
}

function latestMetrics(meter: Meter): ConventionMetrics {
  const prefix = 'gen_ai.client.inference';
  const counter = (name: string) => meter.createCounter(`${prefix}.usage.${name}`, { unit: '{token}' });
  const input = counter('input_tokens');
  const output = counter('output_tokens');
  const cached = counter('cache_read.input_tokens');
  const reasoning = counter('reasoning.output_tokens');
  const inputs = tokenHistogram(meter, `${prefix}.operation.input_tokens`, 'Input tokens of one inference.');
  const outputs = tokenHistogram(meter, `${prefix}.operation.output_tokens`, 'Output tokens of one inference.');
  const runs = seconds(meter, 'gen_ai.invoke_agent.duration', 'Duration of an agent invocation.');
  const calls = (name: string, description: string) =>
    meter.createHistogram(`gen_ai.invoke_agent.${name}`, { unit: '{call}', description });
  const modelCalls = calls('inference_calls', 'Inference calls of one agent invocation.');
  const toolCalls = calls('tool_calls', 'Tool calls of one agent invocation.');
  const tools = seconds(meter, 'gen_ai.execute_tool.duration', 'Duration of a tool execution.');
  return {
    ...modelTimes(meter, prefix, (attributes, usage) => {
      const counted = { ...attributes, 'gen_ai.token.modality': 'unknown' };
      input.add(usage.inputTokens, counted);
      output.add(usage.outputTokens, counted);
      if (usage.cachedInputTokens) cached.add(usage.cachedInputTokens, counted);
      if (usage.reasoningTokens) reasoning.add(usage.reasoningTokens, counted);
      inputs.record(usage.inputTokens, attributes);
      outputs.record(usage.outputTokens, attributes);
    }),
    toolEnded: (attributes, ms) => tools.record(ms / 1_000, attributes),
    runEnded(attributes, ms, { model, tool }) {
      runs.record(ms / 1_000, attributes);
      modelCalls.record(model, attributes);
      toolCalls.record(tool, attributes);
    },
  };
}

function modelTimes(meter: Meter, prefix: string, used: (attributes: Attributes, usage: Usage) => void) {
  const duration = seconds(meter, `${prefix}.duration`, 'Duration of a model request.');
  const first = seconds(meter, `${prefix}.time_to_first_chunk`, 'Time to the first chunk of an answer.');
  const later = seconds(meter, `${prefix}.time_per_output_chunk`, 'Time between two chunks of an answer.');
  const operation: Attributes = { [GEN_AI.operation]: 'chat' };
  return {
    modelEnded(given: Attributes, ms: number, usage: Usage | undefined) {
      const attributes = { ...operation, ...given };
      duration.record(ms / 1_000, attributes);
      if (usage) used(attributes, usage);
    },
    firstChunk: (given: Attributes, ms: number) => first.record(ms / 1_000, { ...operation, ...given }),
    laterChunk: (given: Attributes, ms: number) => later.record(ms / 1_000, { ...operation, ...given }),
  };
}

function seconds(meter: Meter, name: string, description: string): Histogram {
  return meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: SECONDS } });
}

function tokenHistogram(meter: Meter, name: string, description: string): Histogram {
  return meter.createHistogram(name, { description, unit: '{token}', advice: { explicitBucketBoundaries: TOKENS } });
}
