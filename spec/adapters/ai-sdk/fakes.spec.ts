import { expect } from 'chai';
import { aiSdkModel } from '../../../lib/adapters/ai-sdk/index.ts';
import type { LanguageModel } from '../../../lib/adapters/ai-sdk/language-model.ts';
import { HooklineError } from '../../../lib/errors.ts';
import type { Model } from '../../../lib/pipeline/define/model.ts';
import { collect, request, start } from './collect.ts';
import { fakeModel } from './fake-model.ts';

const delta = (text: string) => ({ type: 'text-delta', id: '0', delta: text });
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
const finish = { type: 'finish', finishReason: 'stop', usage: {} };

describe('aiSdkModel', () => {
  const refusals: [what: string, value: unknown, says: RegExp][] = [
    ['a model id', 'gpt-4', /the string "gpt-4"/],
    ['a provider', Object.assign(() => {}, { specificationVersion: 'v3' }), /if it is a provider, call it/],
    ['a promise', Promise.resolve(), /await it/],
    ['nothing', undefined, /got undefined/],
    ['an object that is not a model', { modelId: 'x' }, /without doStream/],
    ['a model that cannot stream', { specificationVersion: 'v3', doGenerate() {} }, /without doStream/],
    ['an older specification', fakeModel('v1', []), /version "v1".*Supported versions: v2, v3, v4/],
  ];
  for (const [what, value, says] of refusals) {
    it(`rejects ${what}`, () => {
      expect(() => aiSdkModel(value as LanguageModel))
        .to.throw(says)
        .with.property('code', 'INPUT_INVALID');
    });
  }

  it('pulls the stream only on demand', async () => {
    const fake = fakeModel('v3', [delta('a'), delta('b'), delta('c'), finish]);
    const answer = start(aiSdkModel(fake));
    await answer.next();
    await pause();
    expect(fake.seen.pulled).to.equal(1);
    await answer.next();
    expect(fake.seen.pulled).to.equal(2);
  });

  it('cancels the stream of a provider that ignores the signal', async () => {
    const fake = fakeModel('v3', [delta('a')], { hangs: true });
    const controller = new AbortController();
    const answer = start(aiSdkModel(fake), request(), controller.signal);
    await answer.next();
    const waiting = answer.next().catch((error) => error);
    controller.abort();
    expect(await waiting).to.have.property('code', 'MODEL_FAILED');
    expect(fake.seen.cancelled).to.equal(true);
  });

  it('cancels a stream that a provider opens after the cancellation', async () => {
    const fake = fakeModel('v3', [delta('a')], { hangs: true });
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const late = { ...fake, doStream: (options: object) => opened.then(() => fake.doStream(options)) };
    const answer = start(aiSdkModel(late));
    const waiting = answer.next();
    await pause();
    await answer.return?.();
    expect(await waiting).to.have.property('done', true);
    open();
    await pause();
    expect(fake.seen).to.include({ cancelled: true, pulled: 0 });
  });

  it('cancels a stream that continues after an error part', async () => {
    const fake = fakeModel('v3', [{ type: 'error', error: 'no' }], { hangs: true });
    await collect(aiSdkModel(fake));
    expect(fake.seen.cancelled).to.equal(true);
  });

  it('sends nothing if it is unsubscribed before the start', async () => {
    const fake = fakeModel('v3', [finish]);
    const answer = start(aiSdkModel(fake));
    await answer.return?.();
    expect(await answer.next()).to.have.property('done', true);
    expect(fake.seen.asked).to.deep.equal([]);
  });

  it('sends nothing once the signal has aborted', async () => {
    const fake = fakeModel('v3', [finish]);
    const error = await start(aiSdkModel(fake), request(), AbortSignal.abort())
      .next()
      .catch((error) => error);
    expect(error).to.have.property('code', 'MODEL_FAILED');
    expect(fake.seen.asked).to.deep.equal([]);
  });

  it('leaves no listener on the signal of an active run', async () => {
    const { signal } = new AbortController();
    const counts = { added: 0, removed: 0 };
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      counts.added++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      counts.removed++;
      remove(...args);
    };
    const answer = start(aiSdkModel(fakeModel('v3', [finish])), request(), signal);
    while (!(await answer.next()).done);
    expect(counts).to.deep.equal({ added: 1, removed: 1 });
  });

  const failures: [what: string, parts: readonly object[], says: string][] = [
    ['a stream that ends without a finish part', [delta('a')], 'the connection ended before the model finished'],
    [
      'a finish part with the reason interrupted',
      [{ ...finish, finishReason: { unified: 'interrupted', raw: undefined } }],
      'the connection ended before the model finished',
    ],
    [
      'a finish part with the reason error',
      [{ ...finish, finishReason: { unified: 'error', raw: 'BAD' } }],
      'because of an error (BAD)',
    ],
    ['an error part with a string', [{ type: 'error', error: 'went dark' }], 'went dark'],
    ['an error part with any data', [{ type: 'error', error: { code: 7 } }], '{"code":7}'],
  ];
  for (const [what, parts, says] of failures) {
    it(`fails on ${what}, naming provider and model`, async () => {
      const { error } = await collect(aiSdkModel(fakeModel('v4', parts)));
      expect(error).to.have.property('code', 'MODEL_FAILED');
      expect((error as Error).cause).to.not.be.instanceOf(HooklineError);
      expect(error).to.have.property('message').that.includes(says).and.includes('The model "fake-1" of fake failed');
    });
  }

  it('keeps the error of the provider as the cause', async () => {
    const cause = new TypeError('no route');
    const fake = { ...fakeModel('v3', []), doStream: () => Promise.reject(cause) };
    expect((await collect(aiSdkModel(fake))).error).to.have.property('cause', cause);
  });

  it('reports media without a store as an input error, not a model error', async () => {
    const messages = [{ role: 'user' as const, parts: [{ type: 'media' as const, url: 'media://7' }] }];
    const { error } = await collect(aiSdkModel(fakeModel('v3', [finish])), request({ messages }));
    expect(error).to.have.property('code', 'INPUT_INVALID');
    expect(error)
      .to.have.property('message')
      .that.matches(/^media:\/\/7 needs a media store/);
  });

  it('separates blocks of different kinds, and restarted blocks, for any ids', async () => {
    const parts = [
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm' },
      delta('a'),
      { type: 'tool-input-delta', id: '0', delta: '{}' },
      { type: 'text-start', id: '0' },
      delta('b'),
      finish,
    ];
    const { chunks } = await collect(aiSdkModel(fakeModel('v3', parts)));
    expect(chunks.map((chunk) => ['block' in chunk && chunk.block, chunk.type])).to.deep.equal([
      [0, 'thinking'],
      [1, 'text'],
      [2, 'toolInput'],
      [1, 'blockEnd'],
      [3, 'text'],
      [0, 'blockEnd'],
      [3, 'blockEnd'],
      [false, 'finish'],
    ]);
  });

  const inputs: [what: string, input: unknown, call: object][] = [
    ['no arguments', ' ', { input: {} }],
    ['an object', '{"a":[1]}', { input: { a: [1] } }],
    ['an array', '[1]', { input: {}, inputError: 'The arguments must be a JSON object; they are an array: [1]' }],
    ['null', 'null', { input: {}, inputError: 'The arguments must be a JSON object; they are null: null' }],
    ['a string', '"x"', { input: {}, inputError: 'The arguments must be a JSON object; they are a string: "x"' }],
  ];
  for (const [what, input, call] of inputs) {
    it(`emits a call with ${what}`, async () => {
      const parts = [{ type: 'tool-call', toolCallId: 'c', toolName: 't', input }, finish];
      const { chunks } = await collect(aiSdkModel(fakeModel('v2', parts)));
      expect(chunks[0]).to.deep.include({ toolCall: { id: 'c', name: 't', ...call } });
    });
  }

  it('quotes at most 200 characters of arguments that are not JSON', async () => {
    const parts = [{ type: 'tool-call', toolCallId: 'c', toolName: 't', input: `q${'z'.repeat(999)}` }, finish];
    const { chunks } = await collect(aiSdkModel(fakeModel('v2', parts)));
    const error = (chunks[0] as { toolCall: { inputError: string } }).toolCall.inputError;
    expect(error)
      .to.match(/not JSON/)
      .and.match(/z…$/);
    expect(error.match(/z/g)).to.have.length(199);
  });

  const reasons = {
    stop: 'stop',
    length: 'length',
    'content-filter': 'contentFilter',
    unknown: 'other',
    toString: 'other',
  };
  for (const [theirs, ours] of Object.entries(reasons)) {
    it(`maps the finish reason ${theirs} to ${ours}`, async () => {
      for (const finishReason of [theirs, { unified: theirs, raw: 'x' }]) {
        const { chunks } = await collect(aiSdkModel(fakeModel('v3', [{ ...finish, finishReason }])));
        expect(chunks).to.deep.equal([{ type: 'finish', finishReason: ours }]);
      }
    });
  }

  describe('with request options', () => {
    const tools = [{ name: 'look', description: '', inputSchema: {}, permission: 'read' as const }];
    const optionsFor = async (asked: Parameters<typeof request>[0]) => {
      const fake = fakeModel('v3', [finish]);
      await collect(aiSdkModel(fake), request(asked));
      return fake.seen.asked[0];
    };

    it('passes on only the options of the request', async () => {
      expect(await optionsFor({})).to.have.all.keys('prompt', 'abortSignal');
      expect(await optionsFor({ options: { temperature: 0, seed: 0 } })).to.include({ temperature: 0, seed: 0 });
    });

    it('omits the tool choice without tools', async () => {
      expect(await optionsFor({ options: { toolChoice: 'none' } })).to.not.have.any.keys('tools', 'toolChoice');
      expect(await optionsFor({ tools, options: { toolChoice: 'none' } })).to.deep.include({
        toolChoice: { type: 'none' },
      });
      expect(await optionsFor({ tools, options: { toolChoice: { tool: 'look' } } })).to.deep.include({
        toolChoice: { type: 'tool', toolName: 'look' },
      });
    });
  });

  describe('with a choice of other models', () => {
    const other = fakeModel('v2', [finish], { modelId: 'fake-2' });
    const errorOf = async (model: Model, id: string) => (await collect(model, request({ model: id }))).error;

    it('asks the named one, of any version, and itself by its own id', async () => {
      const own = fakeModel('v4', [finish]);
      const model = aiSdkModel(own, { models: { second: other } });
      for (const id of ['second', 'fake-1']) expect(await errorOf(model, id)).to.equal(undefined);
      expect([own.seen.asked.length, other.seen.asked.length]).to.deep.equal([1, 1]);
    });

    it('rejects an unknown name', async () => {
      const model = aiSdkModel(fakeModel('v4', [finish]), { models: { second: other } });
      for (const id of ['third', 'toString']) {
        const error = await errorOf(model, id);
        expect(error).to.have.property('code', 'INPUT_INVALID');
        expect(error).to.have.property('message').that.includes(JSON.stringify(id)).and.includes('fake-1, second');
      }
    });

    it('ignores the name without a choice', async () => {
      expect(await errorOf(aiSdkModel(fakeModel('v4', [finish])), 'third')).to.equal(undefined);
    });

    it('rejects a choice that is not a language model', async () => {
      const models = (() => 'fake-3') as unknown as () => LanguageModel;
      const error = await errorOf(aiSdkModel(fakeModel('v4', [finish]), { models }), 'third');
      expect(error)
        .to.have.property('message')
        .that.includes('The model "third" of options.models must be a language model');
    });
  });
});
