import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { aiSdkModel } from '../../../lib/adapters/ai-sdk/index.ts';
import { HooklineError } from '../../../lib/errors.ts';
import type { Message } from '../../../lib/events/parts/message.ts';
import type { Model, ModelRequest } from '../../../lib/pipeline/define/model.ts';
import { modelChunkSchema } from '../../../lib/pipeline/define/model.ts';
import { collect, request, start } from './collect.ts';
import { eventsOf, openStream, recording, startServer } from './recorded-server.ts';

describe('aiSdkModel over HTTP', () => {
  let close: () => Promise<unknown> = async () => {};
  let bodies: { [member: string]: unknown }[] = [];

  afterEach(() => close());

  async function modelThat(play: (response: ServerResponse) => void): Promise<Model> {
    const server = await startServer(play);
    ({ close, bodies } = server);
    return aiSdkModel(server.languageModel);
  }

  const playing = (name: string) => modelThat((response) => openStream(response).end(recording(name)));

  async function failureOf(model: Model) {
    const { chunks, error } = await collect(model);
    expect(error).to.be.instanceOf(HooklineError).with.property('code', 'MODEL_FAILED');
    expect(error).to.have.property('message').that.includes('"test-model" of loopback.chat');
    return { chunks, error: error as HooklineError };
  }

  it('streams text as the deltas of one block and ends with reason and usage', async () => {
    const { chunks, error } = await collect(await playing('text'));
    expect(error).to.equal(undefined);
    expect(chunks).to.deep.equal([
      ...['Hel', 'lo, ', 'wörld', '.'].map((delta) => ({ type: 'text', delta, block: 0 })),
      { type: 'blockEnd', block: 0 },
      {
        type: 'finish',
        finishReason: 'stop',
        usage: { inputTokens: 12, outputTokens: 5, cachedInputTokens: 8 },
      },
    ]);
  });

  it('streams the deltas of parallel tool inputs and emits each call whole', async () => {
    const { chunks } = await collect(await playing('parallel-tool-calls'));
    const pieces = chunks.filter((chunk) => chunk.type === 'toolInput');
    expect(pieces.map(({ toolCallId, delta, block }) => [toolCallId, block, delta])).to.deep.equal([
      ['call_a', 1, '{"pa'],
      ['call_b', 2, '{"query"'],
      ['call_a', 1, 'th":"README.md"}'],
      ['call_b', 2, ':"hook","path":"lib"}'],
    ]);
    expect(chunks.filter((chunk) => chunk.type === 'toolCall')).to.deep.equal([
      { type: 'toolCall', block: 1, toolCall: { id: 'call_a', name: 'read_file', input: { path: 'README.md' } } },
      {
        type: 'toolCall',
        block: 2,
        toolCall: { id: 'call_b', name: 'search_text', input: { query: 'hook', path: 'lib' } },
      },
    ]);
    expect(chunks.at(-1)).to.have.property('finishReason', 'toolCalls');
  });

  it('streams reasoning content as thinking, in a block before the text', async () => {
    const { chunks } = await collect(await playing('thinking'));
    expect(
      chunks.map((chunk) => ('delta' in chunk ? [chunk.type, chunk.block, chunk.delta] : chunk.type)),
    ).to.deep.equal([
      ['thinking', 0, 'The user '],
      ['thinking', 0, 'greets me.'],
      'blockEnd',
      ['text', 1, 'Good '],
      ['text', 1, 'day.'],
      'blockEnd',
      'finish',
    ]);
    expect(chunks.at(-1)).to.have.nested.property('usage.reasoningTokens', 6);
  });

  it('emits a call with truncated arguments with an empty input and the reason', async () => {
    const { chunks } = await collect(await playing('arguments-not-json'));
    const call = chunks.find((chunk) => chunk.type === 'toolCall')?.toolCall;
    expect(call).to.include({ id: 'call_a', name: 'write_file' }).and.deep.include({ input: {} });
    expect(call?.inputError).to.match(/must be a JSON object; they are not JSON .*: \{"path":"a\.txt"/);
    expect(call?.inputError?.match(/x+/)?.[0].length).to.be.lessThan(200);
  });

  it('emits only chunks that match the schema', async () => {
    for (const name of ['text', 'parallel-tool-calls', 'thinking', 'arguments-not-json']) {
      const { chunks } = await collect(await playing(name));
      for (const chunk of chunks) expect(modelChunkSchema.parse(chunk)).to.deep.equal(chunk);
      await close();
    }
  });

  it('fails with the error of a broken stream after the earlier chunks', async () => {
    const { chunks, error } = await failureOf(await playing('error-in-mid-stream'));
    expect(chunks).to.deep.include({ type: 'text', delta: 'Half an ', block: 0 });
    expect(error.message).to.include('The engine is overloaded');
    expect(error.cause).to.have.property('message', 'The engine is overloaded');
  });

  it('fails when the connection drops', async () => {
    const model = await modelThat((response) => {
      openStream(response).write(eventsOf('text').slice(0, 2).join(''));
      setTimeout(() => response.destroy(), 20);
    });
    const { chunks, error } = await failureOf(model);
    expect(chunks.map((chunk) => chunk.type)).to.deep.equal(['text']);
    expect(error.cause).to.be.instanceOf(Error);
  });

  it('fails when the stream ends without a finish reason', async () => {
    const { chunks, error } = await failureOf(await playing('no-finish-reason'));
    expect(chunks.map((chunk) => chunk.type)).to.not.include('finish');
    expect(error.message).to.match(/ended without a finish reason/);
  });

  for (const status of [401, 500]) {
    it(`fails with the status and the message of an HTTP ${status}`, async () => {
      const model = await modelThat((response) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":{"message":"No such luck"}}'),
      );
      const { chunks, error } = await failureOf(model);
      expect(chunks).to.deep.equal([]);
      expect(error.message).to.include(`HTTP ${status}`).and.include('No such luck');
      expect(error.cause).to.have.property('statusCode', status);
    });
  }

  describe('with a slow stream', () => {
    let closed: Promise<boolean>;

    const slowModel = () =>
      modelThat((response) => {
        closed = new Promise((resolve) => response.on('close', () => resolve(response.writableFinished)));
        openStream(response).write(eventsOf('text').slice(0, 2).join(''));
      });

    it('closes the request at an unsubscribe between two chunks', async () => {
      const answer = start(await slowModel());
      expect((await answer.next()).value).to.include({ delta: 'Hel' });
      expect(await answer.return?.()).to.deep.equal({ done: true, value: undefined });
      expect(await closed).to.equal(false);
    });

    it('closes the request at an unsubscribe while it waits for a chunk', async () => {
      const answer = start(await slowModel());
      await answer.next();
      const waiting = answer.next();
      await answer.return?.();
      expect(await waiting).to.deep.equal({ done: true, value: undefined });
      expect(await closed).to.equal(false);
      expect(await answer.next()).to.deep.equal({ done: true, value: undefined });
    });

    it('closes the request and fails when the signal aborts', async () => {
      const controller = new AbortController();
      const answer = start(await slowModel(), request(), controller.signal);
      await answer.next();
      const waiting = answer.next().catch((error) => error);
      controller.abort(new Error('cancelled'));
      expect(await waiting).to.have.property('code', 'MODEL_FAILED');
      expect(await waiting).to.have.nested.property('cause.message', 'cancelled');
      expect(await closed).to.equal(false);
    });

    it('closes a request without an answer so far', async () => {
      let asked = () => {};
      const arrived = new Promise<void>((resolve) => {
        asked = resolve;
      });
      const model = await modelThat((response) => {
        closed = new Promise((resolve) => response.on('close', () => resolve(response.writableFinished)));
        asked();
      });
      const answer = start(model);
      const waiting = answer.next();
      await arrived;
      await answer.return?.();
      expect(await waiting).to.deep.equal({ done: true, value: undefined });
      expect(await closed).to.equal(false);
    });
  });

  it('sends nothing before the first pull', async () => {
    const answer = start(await playing('text'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(bodies).to.deep.equal([]);
    await answer.next();
    expect(bodies).to.have.length(1);
  });

  it('sends messages, tools and options in the format of the provider', async () => {
    const asked: ModelRequest = {
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'What is this?' },
            { type: 'media', url: 'https://example.test/a.png', mediaType: 'image/png' },
            { type: 'media', url: 'data:image/gif;base64,R0lG' },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'thinking', text: 'Hm.' },
            { type: 'toolCall', toolCall: { id: 'a', name: 'look', input: { deep: true } } },
          ],
        },
        {
          role: 'tool',
          parts: [
            { type: 'toolResult', toolCallId: 'a', toolName: 'look', result: { content: 'dark', isError: true } },
          ],
        },
      ],
      tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, permission: 'read' }],
      options: {
        toolChoice: { tool: 'look' },
        temperature: 0.5,
        topP: 0.9,
        maxOutputTokens: 100,
        stop: ['END'],
        seed: 7,
        provider: { loopback: { user: 'u-1' } },
      },
    };
    await collect(await playing('text'), asked);
    expect(bodies[0]).to.deep.include({
      model: 'test-model',
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 100,
      stop: ['END'],
      seed: 7,
      user: 'u-1',
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name: 'look' } },
    });
    expect(bodies[0]?.['messages']).to.deep.equal([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'https://example.test/a.png' } },
          { type: 'image_url', image_url: { url: 'data:image/gif;base64,R0lG' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"deep":true}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'dark' },
    ]);
  });

  it('uses the model named in the request', async () => {
    const server = await startServer((response) => openStream(response).end(recording('text')));
    close = server.close;
    const model = aiSdkModel(server.languageModel, { models: (id) => server.provider(id) });
    await collect(model, request({ model: 'other-model' }));
    expect(server.bodies[0]).to.include({ model: 'other-model' });
    expect(model.modelId).to.equal('test-model');
  });

  describe('after a prompt with a file that cannot be used', () => {
    const file = (url: string) => ({ type: 'media' as const, url, mediaType: 'image/png' });
    const prompts = (url: string): ModelRequest =>
      request({
        messages: [
          { role: 'user', parts: [{ type: 'text', text: 'What is this?' }, file(url)] },
          { role: 'user', parts: [{ type: 'text', text: 'Never mind. Hello?' }] },
        ],
      });
    const rejectsImages = () => {
      let requests = 0;
      return modelThat((response) => {
        requests += 1;
        if (JSON.stringify(bodies[requests - 1]).includes('gone.png'))
          response
            .writeHead(400, { 'content-type': 'application/json' })
            .end('{"error":{"message":"cannot download"}}');
        else openStream(response).end(recording('text'));
      });
    };

    it('sends a rejected request once more without the earlier file', async () => {
      const { chunks, error } = await collect(await rejectsImages(), prompts('https://127.0.0.1/gone.png'));
      expect(error).to.equal(undefined);
      expect(chunks.at(-1)).to.include({ type: 'finish' });
      expect(bodies).to.have.length(2);
      expect(JSON.stringify(bodies[1])).to.include('[image/png was omitted').and.include('What is this?');
    });

    it('omits an earlier file that it cannot load', async () => {
      const { error } = await collect(await rejectsImages(), prompts('http://127.0.0.1/a.png'));
      expect(error).to.equal(undefined);
      expect(bodies).to.have.length(1);
    });

    it('omits an earlier file of a tool that it cannot load', async () => {
      const result = { content: 'a map', isError: false, media: [{ url: 'http://127.0.0.1/map.png' }] };
      const messages: readonly Message[] = [
        { role: 'user', parts: [{ type: 'text', text: 'Where?' }] },
        { role: 'assistant', parts: [{ type: 'toolCall', toolCall: { id: 'c1', name: 'map', input: {} } }] },
        { role: 'tool', parts: [{ type: 'toolResult', toolCallId: 'c1', toolName: 'map', result }] },
        { role: 'user', parts: [{ type: 'text', text: 'Hello?' }] },
      ];
      const { error } = await collect(await playing('text'), request({ messages }));
      expect(error).to.equal(undefined);
      expect(JSON.stringify(bodies[0])).to.include('a map').and.include('A file was omitted');
    });

    it('fails if the file is in the last prompt', async () => {
      const { messages, ...rest } = prompts('https://127.0.0.1/gone.png');
      const { error } = await collect(await rejectsImages(), { ...rest, messages: messages.slice(0, 1) });
      expect(error).to.have.property('message').that.includes('cannot download');
      expect(bodies).to.have.length(1);
    });

    it('does not repeat a request that failed for another reason', async () => {
      const model = await modelThat((response) => response.writeHead(401).end('{}'));
      expect((await collect(model, prompts('https://127.0.0.1/a.png'))).error).to.be.instanceOf(HooklineError);
      expect(bodies).to.have.length(1);
    });
  });
});
