import { expect } from 'chai';
import { of } from 'rxjs';
import { type OtelOptions, otel } from '../../lib/hooks/otel/index.ts';
import {
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  type Hook,
  type Model,
  type ModelChunk,
  modify,
} from '../../lib/index.ts';
import { memorySdk } from './exported.ts';

const SECRET = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
const fetches = defineTool({
  name: 'fetch',
  description: 'Fetches.',
  inputSchema: { type: 'object', properties: { url: { type: 'string' } } },
  execute: () => `The token is ${SECRET} in line 7.`,
});
const model: Model = Object.assign(
  ({ messages }: Parameters<Model>[0]) =>
    messages.some(({ role }) => role === 'tool')
      ? of<ModelChunk[]>({ type: 'thinking', delta: 'Hm.' }, { type: 'text', delta: 'Seven.' })
      : of<ModelChunk[]>({ type: 'toolCall', toolCall: { id: 'c1', name: 'fetch', input: { url: 'http://x/y' } } }),
  { modelId: 'big' },
);

async function exported(options: OtelOptions, more: readonly Hook[] = []) {
  const sdk = memorySdk();
  const pipeline = createPipeline([otel({ tracerProvider: sdk.tracerProvider, ...options }), ...more]);
  const agent = createAgent({ name: 'scout', instructions: 'Be brief.', model, tools: [fetches], pipeline });
  await agent.call('Which line?');
  const read = (span: string, key: string) => JSON.parse(String(sdk.span(span).attributes[`gen_ai.${key}`]));
  const all = () => JSON.stringify(sdk.spans().map(({ name, attributes, events }) => ({ name, attributes, events })));
  return { sdk, read, all };
}

describe('otel: content', () => {
  it('is not exported by default', async () => {
    const { all } = await exported({});
    for (const text of ['Which line', 'Be brief', 'Seven', 'http://x/y', 'in line 7', 'Hm.'])
      expect(all()).not.to.include(text);
  });

  it('has the schema of the conventions', async () => {
    const { sdk, read } = await exported({ content: true });
    expect(read('chat big', 'input.messages')).to.deep.equal([
      { role: 'user', parts: [{ type: 'text', content: 'Which line?' }] },
    ]);
    expect(read('chat big', 'system_instructions')).to.deep.equal([{ type: 'text', content: 'Be brief.' }]);
    expect(read('chat big', 'tool.definitions')).to.deep.equal([
      {
        type: 'function',
        name: 'fetch',
        description: 'Fetches.',
        parameters: { type: 'object', properties: { url: { type: 'string' } } },
      },
    ]);
    expect(read('chat big', 'output.messages')).to.deep.equal([
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c1', name: 'fetch', arguments: { url: 'http://x/y' } }],
        finish_reason: 'tool_calls',
      },
    ]);
    expect(read('execute_tool fetch', 'tool.call.arguments')).to.deep.equal({ url: 'http://x/y' });
    expect(read('invoke_agent scout', 'input.messages')).to.deep.equal([
      { role: 'user', parts: [{ type: 'text', content: 'Which line?' }] },
    ]);
    expect(read('invoke_agent scout', 'output.messages')[0].parts).to.deep.equal([
      { type: 'reasoning', content: 'Hm.' },
      { type: 'text', content: 'Seven.' },
    ]);
    expect(sdk.span('execute_tool fetch').attributes['gen_ai.tool.call.result']).to.match(
      /^The token is \[REDACTED:.*\] in line 7\.$/,
    );
  });

  it('has no secrets, unless redact is off', async () => {
    expect((await exported({ content: true })).all()).not.to.include(SECRET);
    expect((await exported({ content: true, redact: false })).all()).to.include(SECRET);
  });

  it('is what the hooks made of it', async () => {
    const hides = defineHook({
      name: 'hides',
      on: {
        postActing: (event) => modify(event, { result: { content: 'hidden', isError: false } }),
        postReasoning: ({ message, ...event }) =>
          modify(
            { ...event, message },
            { message: { ...message, parts: message.parts.filter(({ type }) => type !== 'thinking') } },
          ),
      },
    });
    const { sdk, all } = await exported({ content: true, redact: false }, [hides]);
    expect(sdk.span('execute_tool fetch').attributes['gen_ai.tool.call.result']).to.equal('hidden');
    expect(all()).not.to.include('in line 7').and.not.to.include('Hm.');
  });

  it('is cut after the secrets are removed', async () => {
    const { sdk, all } = await exported({ content: true, maxContentChars: 20 });
    expect(sdk.span('execute_tool fetch').attributes['gen_ai.tool.call.result']).to.match(
      /^The token is .{7}\.\. \(\d+ more characters\)$/,
    );
    expect(all()).not.to.include('ghp_');
  });

  it('never has the secrets of an error', async () => {
    const sdk = memorySdk();
    const failing: Model = () => {
      throw new Error(`401 for ${SECRET}`);
    };
    const pipeline = createPipeline([otel({ tracerProvider: sdk.tracerProvider })]);
    await createAgent({ name: 'scout', model: failing, pipeline }).call('go');
    const told = JSON.stringify(sdk.spans().map(({ status, attributes, events }) => ({ status, attributes, events })));
    expect(told).to.include('401 for [REDACTED').and.not.to.include(SECRET);
  });
});
