import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { AlwaysOffSampler, AlwaysOnSampler, BasicTracerProvider, type Sampler } from '@opentelemetry/sdk-trace-base';
import { otel } from '../../../lib/hooks/otel/index.ts';
import { createAgent, createPipeline, defineHook, defineTool, type Hook, type Model } from '../../../lib/index.ts';
import type { BenchResult } from '../result.ts';

const STEPS = 40;
const ROUNDS = 300;

const model: Model = async function* ({ messages }) {
  const step = messages.filter(({ role }) => role === 'assistant').length;
  yield { type: 'text', delta: 'Let me look. ' };
  yield { type: 'text', delta: 'It is not far.' };
  if (step < STEPS) yield { type: 'toolCall', toolCall: { id: `c${step}`, name: 'find', input: { at: step } } };
  yield {
    type: 'finish',
    finishReason: step < STEPS ? 'toolCalls' : 'stop',
    usage: { inputTokens: 10, outputTokens: 5 },
  };
};
const find = defineTool({
  name: 'find',
  description: 'Finds.',
  inputSchema: { type: 'object' },
  permission: 'read',
  execute: async ({ at }) => `found ${at}`,
});

/** A step of an agent with `otel`, sampled out and sampled, against one with an observer that does nothing. */
export async function otelBench(): Promise<BenchResult[]> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const contenders = {
    observer: stepping(defineHook({ name: 'nothing', observe() {} })),
    out: stepping(tracing(new AlwaysOffSampler())),
    sampled: stepping(tracing(new AlwaysOnSampler())),
  };
  const best: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, run] of Object.entries(contenders)) {
      const began = performance.now();
      await run();
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, performance.now() - began);
    }
  const { observer = 1, out = 0, sampled = 0 } = best;
  return [
    {
      name: 'a step with otel that is sampled out, against one with an observer that does nothing',
      unit: 'times the cost',
      value: out / observer,
      most: 1.5,
    },
    { name: 'the same, sampled, without an exporter', unit: 'times the cost', value: sampled / observer },
  ];
}

function tracing(sampler: Sampler): Hook {
  return otel({ tracerProvider: new BasicTracerProvider({ sampler }) });
}

function stepping(hook: Hook): () => Promise<unknown> {
  const agent = createAgent({
    name: 'a',
    model,
    tools: [find],
    pipeline: createPipeline([hook]),
    maxIterations: STEPS + 2,
  });
  let nth = 0;
  return () => agent.call('go', { sessionId: `s${nth++}` });
}
