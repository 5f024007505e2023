import { expect } from 'chai';
import { of } from 'rxjs';
import { type OtelOptions, otel } from '../../lib/hooks/otel/index.ts';
import { createAgent, createPipeline, defineTool, type Model, type ModelChunk } from '../../lib/index.ts';
import { memorySdk } from './exported.ts';

const look = defineTool({ name: 'look', description: '', inputSchema: { type: 'object' }, execute: () => 'seen' });
const finish: ModelChunk = {
  type: 'finish',
  finishReason: 'toolCalls',
  usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 60, reasoningTokens: 5 },
};
const model: Model = Object.assign(
  ({ messages }: Parameters<Model>[0]) =>
    messages.some(({ role }) => role === 'tool')
      ? of<ModelChunk[]>({ type: 'text', delta: 'a' }, { type: 'text', delta: 'b' }, finish)
      : of<ModelChunk[]>({ type: 'toolCall', toolCall: { id: 'c1', name: 'look', input: {} } }, finish),
  { modelId: 'big' },
);

async function exported(options: OtelOptions) {
  const sdk = memorySdk();
  const { tracerProvider, meterProvider } = sdk;
  const pipeline = createPipeline([otel({ tracerProvider, meterProvider, provider: 'openai', ...options })]);
  await createAgent({ name: 'scout', model, tools: [look], pipeline }).call('go');
  return { sdk, points: await sdk.points() };
}

type Points = Awaited<ReturnType<typeof exported>>['points'];

const namesOf = (points: Points) => [...new Set(points.map(({ name, unit }) => `${name} ${unit}`))].sort();
const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'big' };

describe('otel: the two profiles of names', () => {
  afterEach(() => {
    delete process.env['OTEL_SEMCONV_STABILITY_OPT_IN'];
  });

  it('measures with the names of v1.41 by default', async () => {
    const { sdk, points } = await exported({});
    expect(namesOf(points)).to.deep.equal([
      'gen_ai.client.operation.duration s',
      'gen_ai.client.operation.time_per_output_chunk s',
      'gen_ai.client.operation.time_to_first_chunk s',
      'gen_ai.client.token.usage {token}',
    ]);
    const tokens = points.filter(({ name }) => name === 'gen_ai.client.token.usage');
    expect(
      tokens.map(({ attributes, value }) => ({ ...attributes, sum: (value as { sum: number }).sum })),
    ).to.deep.equal([
      { ...chat, 'gen_ai.token.type': 'input', sum: 200 },
      { ...chat, 'gen_ai.token.type': 'output', sum: 40 },
    ]);
    const duration = points.find(({ name }) => name === 'gen_ai.client.operation.duration');
    expect(duration?.attributes).to.deep.equal(chat);
    expect(duration?.value).to.include({ count: 2 });
    const value = duration?.value as unknown as { buckets: { boundaries: number[] } };
    expect(value.buckets.boundaries.slice(0, 3)).to.deep.equal([0.01, 0.02, 0.04]);
    expect(sdk.span('invoke_agent scout').attributes).to.include({ 'gen_ai.provider.name': 'openai' });
  });

  it('measures with the latest names', async () => {
    const { sdk, points } = await exported({ semconv: 'latest' });
    expect(namesOf(points)).to.deep.equal([
      'gen_ai.client.inference.duration s',
      'gen_ai.client.inference.operation.input_tokens {token}',
      'gen_ai.client.inference.operation.output_tokens {token}',
      'gen_ai.client.inference.time_per_output_chunk s',
      'gen_ai.client.inference.time_to_first_chunk s',
      'gen_ai.client.inference.usage.cache_read.input_tokens {token}',
      'gen_ai.client.inference.usage.input_tokens {token}',
      'gen_ai.client.inference.usage.output_tokens {token}',
      'gen_ai.client.inference.usage.reasoning.output_tokens {token}',
      'gen_ai.execute_tool.duration s',
      'gen_ai.invoke_agent.duration s',
      'gen_ai.invoke_agent.inference_calls {call}',
      'gen_ai.invoke_agent.tool_calls {call}',
    ]);
    const of = (name: string) => points.find((point) => point.name === name);
    expect(of('gen_ai.client.inference.usage.input_tokens')).to.deep.include({
      value: 200,
      attributes: { ...chat, 'gen_ai.token.modality': 'unknown' },
    });
    expect(of('gen_ai.invoke_agent.inference_calls')?.value).to.include({ count: 1, sum: 2 });
    expect(of('gen_ai.invoke_agent.tool_calls')?.value).to.include({ count: 1, sum: 1 });
    expect(of('gen_ai.execute_tool.duration')?.attributes).to.deep.equal({ 'gen_ai.tool.name': 'look' });
    const run = sdk.span('invoke_agent scout').attributes;
    expect(run).not.to.have.any.keys('gen_ai.provider.name', 'gen_ai.usage.cache_read.input_tokens');
  });

  it('selects the latest names by the environment, unless the option is set', async () => {
    process.env['OTEL_SEMCONV_STABILITY_OPT_IN'] = 'http, gen_ai_latest_experimental';
    const latest = await exported({});
    expect(namesOf(latest.points)).to.include('gen_ai.client.inference.duration s');
    const older = await exported({ semconv: 'v1.41' });
    expect(namesOf(older.points)).to.include('gen_ai.client.operation.duration s');
  });

  it('has the tokens of each model request on its span', async () => {
    const { sdk } = await exported({});
    expect(sdk.span('chat big').attributes).to.include({
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 60,
      'gen_ai.usage.reasoning.output_tokens': 5,
    });
  });
});
