import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect } from 'chai';
import { concatMap, timer } from 'rxjs';
import { RunAborted } from '../../../../lib/adapters/ai-sdk/index.ts';
import { abort, assistantMessage, type HookDefinition, modify } from '../../../../lib/index.ts';
import { hooked, rejection, watch } from './scene.ts';

const streamed = (...deltas: readonly string[]) => ({
  stream: ai.simulateReadableStream({
    chunks: [
      { type: 'stream-start', warnings: [] },
      { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.org' },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'hm' },
      { type: 'reasoning-end', id: '0', providerMetadata: { own: { signature: 'sig' } } },
      { type: 'text-start', id: '1' },
      ...deltas.map((delta) => ({ type: 'text-delta', id: '1', delta })),
      { type: 'text-end', id: '1' },
      {
        type: 'finish',
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: { inputTokens: { total: 3 }, outputTokens: { total: 2 } },
      },
    ],
  }) as never,
});
const modelOfStream = (...deltas: readonly string[]) => new MockLanguageModelV4({ doStream: streamed(...deltas) });
const warm: HookDefinition = {
  name: 'warm',
  on: { postReasoning: (event) => modify(event, { message: assistantMessage('It is warm.') }) },
};

async function parts(result: { readonly fullStream: AsyncIterable<unknown> }) {
  const all: { readonly type: string; readonly [member: string]: unknown }[] = [];
  for await (const part of result.fullStream) all.push(part as never);
  return all;
}

describe('a stream of the AI SDK with hooks', () => {
  it('passes on parts that hooks do not see, and provider data of a block', async () => {
    const { streamText } = hooked([watch]);
    const all = await parts(streamText({ model: modelOfStream('It is ', 'mild.'), prompt: 'go' }));
    expect(all.map(({ type }) => type)).to.include.members(['source', 'reasoning-start', 'text-delta', 'finish']);
    expect(all.find(({ type }) => type === 'reasoning-end')?.['providerMetadata']).to.deep.equal({
      own: { signature: 'sig' },
    });
  });

  it('shows a buffered message only after it has settled', async () => {
    const { streamText } = hooked([warm], { buffer: true });
    const result = streamText({ model: modelOfStream('It is ', 'mild.'), prompt: 'go' });
    expect(JSON.stringify(await parts(result))).to.not.contain('mild');
    expect(await result.text).to.equal('It is warm.');
  });

  it('keeps the streamed text without a buffer', async () => {
    const { streamText } = hooked([warm]);
    expect(await streamText({ model: modelOfStream('It is ', 'mild.'), prompt: 'go' }).text).to.equal('It is mild.');
  });

  const callsLook = () =>
    new MockLanguageModelV4({
      doStream: {
        stream: ai.simulateReadableStream({
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{}' },
            { type: 'finish', finishReason: { unified: 'tool-calls' }, usage: { inputTokens: {}, outputTokens: {} } },
          ],
        }),
      } as never,
    });
  const given = (execute: () => unknown) => ({
    model: callsLook(),
    prompt: 'go',
    tools: { look: ai.tool({ description: 'Looks.', inputSchema: ai.jsonSchema({ type: 'object' }), execute }) },
  });
  const outputs = async (result: { readonly fullStream: AsyncIterable<unknown> }) =>
    (await parts(result)).flatMap(({ type, output, preliminary }) =>
      type === 'tool-result' ? [[output, preliminary ?? false]] : [],
    );
  async function* water() {
    yield { water: 'murky' };
    yield { water: 'gone' };
  }

  it('emits object progress as an object, also after text changes by hooks', async () => {
    const clean: HookDefinition = {
      name: 'clean',
      on: { actingChunk: (event) => modify(event, { content: event.content.replace('murky', 'clean') }) },
    };
    for (const execute of [water, () => water()]) {
      const all = await outputs(hooked([clean]).streamText(given(execute) as never));
      expect(all.map(([output]) => output).slice(0, 2)).to.deep.equal([{ water: 'clean' }, { water: 'gone' }]);
    }
  });

  it('returns the same results as without hooks for any kind of execute', async () => {
    const iterable = { [Symbol.asyncIterator]: water };
    for (const execute of [water, () => water(), () => iterable, async () => 'seen', () => 'seen', async () => {}]) {
      const bare = await outputs(ai.streamText(given(execute) as never));
      expect(await outputs(hooked([watch]).streamText(given(execute) as never))).to.deep.equal(bare);
    }
  });

  it('returns only the final result of a plain function delayed by a wrapper', async () => {
    const late: HookDefinition = { name: 'late', around: { acting: (_, next) => timer(1).pipe(concatMap(next)) } };
    const all = await outputs(hooked([late]).streamText(given(() => water()) as never));
    expect(all).to.deep.equal([[{ water: 'gone' }, false]]);
  });

  it("calls the caller's callbacks and ends once", async () => {
    const called: string[] = [];
    const { streamText, recorded } = hooked([watch]);
    const result = streamText({
      model: modelOfStream('mild'),
      prompt: 'go',
      onFinish: () => void called.push('onFinish'),
    });
    await result.consumeStream();
    expect([called, recorded.of('postCall').map(({ outcome }) => outcome)]).to.deep.equal([
      ['onFinish'],
      ['completed'],
    ]);
  });

  it('ends once for any of the SDK’s names of the end callback', async () => {
    for (const names of [['onEnd'], ['onFinish'], ['onEnd', 'onFinish']]) {
      const { streamText, recorded } = hooked([watch]);
      const callbacks = Object.fromEntries(names.map((name) => [name, () => {}]));
      await streamText({ model: modelOfStream('mild'), prompt: 'go', ...callbacks }).consumeStream();
      expect(recorded.of('postCall'), names.join()).to.have.length(1);
    }
  });

  it('reports a failing model as without hooks and ends once', async () => {
    const told: unknown[] = [];
    const { streamText, recorded } = hooked([watch]);
    const model = new MockLanguageModelV4({ doStream: () => Promise.reject(new Error('overloaded')) });
    const result = streamText({ model, prompt: 'go', onError: ({ error }) => void told.push(error) });
    await result.consumeStream();
    expect(told.map(String)).to.deep.equal(['Error: overloaded']);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
  });

  it('reports a broken model stream with the text so far', async () => {
    const { streamText, recorded } = hooked([watch]);
    const broken = {
      stream: ai.simulateReadableStream({
        chunks: [
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'half' },
          { type: 'error', error: new Error('cut') },
        ],
      }) as never,
    };
    const all = await parts(
      streamText({ model: new MockLanguageModelV4({ doStream: broken }), prompt: 'go', onError: () => {} }),
    );
    expect(
      all.filter(({ type }) => ['text-delta', 'error'].includes(type)).map(({ text, error }) => String(text ?? error)),
    ).to.deep.equal(['half', 'Error: cut']);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
  });

  it('aborts with the hook’s decision as the reason', async () => {
    const reasons: unknown[] = [];
    const { streamText } = hooked([
      {
        name: 'stop',
        on: { reasoningChunk: (event) => (event.delta.includes('mild') ? abort(event, 'no') : undefined) },
      },
    ]);
    const result = streamText({
      model: modelOfStream('It is ', 'mild.'),
      prompt: 'go',
      onAbort: () => void reasons.push('aborted'),
    });
    const all = await parts(result);
    expect([all.at(-1)?.type, reasons]).to.deep.equal(['abort', ['aborted']]);
    expect(await rejection(result.text)).to.be.instanceOf(RunAborted);
  });
});
