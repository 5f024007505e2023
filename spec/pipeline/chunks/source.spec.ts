import { expect } from 'chai';
import { delay, from, interval, NEVER, Observable, of, take, throwError } from 'rxjs';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Handler } from '../../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk } from '../../../lib/pipeline/define/model.ts';
import type { ToolContext, ToolReturn } from '../../../lib/pipeline/define/tool.ts';
import type { PipelineOptions } from '../../../lib/pipeline/settings.ts';
import { marbles } from '../../../lib/testing/marbles/marbles.ts';
import { callOf, hear, keptLog, pause, request, start, toolOf } from '../scene.ts';

const chunkHook = (actingChunk: Handler<'actingChunk'>) => defineHook({ name: 'slow', on: { actingChunk } });
const slow = chunkHook(async (chunk) => {
  await pause(1);
  return chunk;
});

async function act(
  execute: (context: ToolContext) => ToolReturn,
  hooks = [] as ReturnType<typeof chunkHook>[],
  options?: PipelineOptions,
) {
  const run = start(hooks, options);
  const heard = hear(run.act(callOf('tool'), [toolOf('tool', (_, context) => execute(context))]));
  await heard.ended;
  expect(heard.error).to.equal(undefined);
  return { run, heard, post: heard.of('postActing')[0], texts: heard.of('actingChunk').map(({ content }) => content) };
}

async function reason(model: Model) {
  const run = start([]);
  const heard = hear(run.reason(request, model));
  await heard.ended;
  return { run, heard, error: heard.of('error')[0] };
}

describe('a source', () => {
  describe('of a tool', () => {
    const ok = (content: string) => ({ content, isError: false });
    const gives: Record<string, [(context: ToolContext) => ToolReturn, object]> = {
      text: [() => 'text', ok('text')],
      'a result': [() => ({ content: 'oops', isError: true }), { content: 'oops', isError: true }],
      JSON: [() => ({ n: [1, null] }), ok('{"n":[1,null]}')],
      'a number': [() => 42, ok('42')],
      null: [() => null, ok('null')],
      nothing: [() => undefined, ok('')],
      'a promise': [async () => 'later', ok('later')],
      'an Observable of text': [() => of('a', 'b'), ok('ab')],
      'an Observable of text and a result': [() => of('a', ok('done')), ok('done')],
      'an empty Observable': [() => from([]), ok('')],
      'an async iterable': [
        async function* () {
          yield 'a';
          yield 'b';
        },
        ok('ab'),
      ],
      'an async generator that returns': [
        async function* () {
          yield 'a';
          return { content: 'done', isError: false };
        } as never,
        ok('done'),
      ],
      'emitted text without a result': [({ emit }) => emit('a').then(() => emit('b')), ok('ab')],
      'emitted text and a result': [({ emit }) => emit('a').then(() => 'done'), ok('done')],
    };
    for (const [what, [execute, result]] of Object.entries(gives)) {
      it(`accepts ${what}`, async () => {
        expect((await act(execute)).post).to.deep.include({ outcome: 'executed', result });
      });
    }

    const refused: Record<string, (context: ToolContext) => unknown> = {
      'a class instance': () => new Map(),
      'a function': () => () => 'x',
      'an invalid result': () => ({ content: 42, isError: false }),
      'an unknown field in a result': () => ({ content: '', isError: false, extra: 1 }),
      'an Observable of numbers': () => of(1),
      'a promise of a class instance': async () => new Date(),
      'an async generator that returns a class instance': async function* () {
        yield 'a';
        return new Map();
      },
      'an async generator that yields numbers': async function* () {
        yield 1;
      },
    };
    for (const [what, execute] of Object.entries(refused)) {
      it(`rejects ${what}`, async () => {
        const { post, heard, run } = await act(execute as never);
        expect(post).to.include({ outcome: 'failed' });
        expect(heard.of('error')[0]).to.include({ source: 'tool', phase: 'acting' });
        expect(run.fatal).to.equal(undefined);
      });
    }

    const failing: Record<string, (context: ToolContext) => ToolReturn> = {
      'a tool that throws': () => {
        throw new Error('down');
      },
      'a promise that is rejected': () => Promise.reject(new Error('down')),
      'an Observable that fails': () => throwError(() => new Error('down')),
      'an async iterable that fails': async function* () {
        yield 'a';
        throw new Error('down');
      },
    };
    for (const [what, execute] of Object.entries(failing)) {
      it(`reports ${what}: an error, then a failed result`, async () => {
        const { heard, post, run } = await act(execute);
        expect(heard.lines('error', 'postActing')).to.deep.equal([
          'error acting tool call_1 "down"',
          'postActing call_1 failed "Tool \\"tool\\" failed: down"',
        ]);
        expect(heard.events.map(({ type }) => type).slice(-2)).to.deep.equal(['error', 'postActing']);
        expect(post?.result.isError).to.equal(true);
        expect(run.fatal).to.equal(undefined);
      });
    }
  });

  describe('of a model', () => {
    for (const [what, model] of Object.entries({
      'an async iterable': async function* (): AsyncGenerator<ModelChunk> {
        yield { type: 'text', delta: 'a' };
      },
      'an Observable': () => of<ModelChunk>({ type: 'text', delta: 'a' }),
    })) {
      it(`accepts ${what}`, async () => {
        expect((await reason(model)).heard.lines('postReasoning')).to.deep.equal(['postReasoning "a"']);
      });
    }

    const broken: Record<string, [unknown, RegExp]> = {
      nothing: [() => undefined, /neither an Observable nor an async iterable/],
      text: [() => 'hello', /neither an Observable nor an async iterable/],
      'a chunk without a type': [() => of({ delta: 'a' }), /sent an invalid chunk/],
      'a chunk of an unknown type': [() => of({ type: 'image' }), /sent an invalid chunk/],
      'a chunk that is null': [() => of(null), /sent an invalid chunk/],
      'text that is not a string': [() => of({ type: 'text', delta: 42 }), /delta is not a string/],
      'a call without an id': [() => of({ type: 'toolCall', toolCall: { name: 'x', input: {} } }), /toolCall\.id/],
      'a call with a string as input': [
        () => of({ type: 'toolCall', toolCall: { id: 'a', name: 'x', input: '{}' } }),
        /toolCall\.input/,
      ],
      'a call that is nested too deep': [
        () => of({ type: 'toolCall', toolCall: { id: 'a', name: 'x', input: nested(5_000) } }),
        /an invalid chunk\. chunk\.toolCall\.input\.c\.c.* is a circle, or nesting deeper than 500 levels/,
      ],
      'an unknown finish reason': [() => of({ type: 'finish', finishReason: 'bored' }), /finishReason/],
      'negative usage': [
        () => of({ type: 'finish', finishReason: 'stop', usage: { inputTokens: -1, outputTokens: 0 } }),
        /usage\.inputTokens/,
      ],
      'usage without output tokens': [
        () => of({ type: 'finish', finishReason: 'stop', usage: { inputTokens: 1 } }),
        /usage\.outputTokens/,
      ],
      'usage with an unknown field': [
        () => of({ type: 'finish', finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 0, cost: 1 } }),
        /usage.*cost/,
      ],
      'usage that is text': [() => of({ type: 'finish', finishReason: 'stop', usage: 'none' }), /usage/],
      'an end of a block that is no index': [() => of({ type: 'blockEnd', block: 0.5 }), /block/],
      'an end of a block with an unknown field': [() => of({ type: 'blockEnd', block: 0, at: 1 }), /at/],
    };
    for (const [what, [model, message]] of Object.entries(broken)) {
      it(`rejects ${what}`, async () => {
        const { error, run } = await reason(model as Model);
        expect(error).to.include({ source: 'model', phase: 'reasoning' });
        expect(error?.error).to.include({ code: 'MODEL_FAILED' });
        expect(error?.error.message).to.match(message);
        expect(run.fatal).to.include({ code: 'MODEL_FAILED' });
      });
    }

    it('rejects a model that is not a function', async () => {
      const heard = hear(start([]).reason(request, { generate() {} } as never));
      await heard.ended;
      expect(heard.error ?? heard.of('error')[0]?.error).to.match(/must be a function/);
    });

    it('rejects a promise in virtual time and names the alternative', () => {
      marbles(({ run, expectEvents }) => {
        const model = (async () => of()) as unknown as Model;
        expectEvents(run().reason(request, model)).toShow([
          '0 preReasoning',
          '0 error reasoning model "…promise in virtual time…Give an Observable."',
          '0 |',
        ]);
        const iterable: Model = async function* () {};
        expectEvents(run().reason(request, iterable)).toShow([
          '0 preReasoning',
          '0 error reasoning model "…async iterable in virtual time…"',
          '0 |',
        ]);
      });
    });
  });

  describe('backpressure', () => {
    it('pulls an async iterable only when hooks are idle', async () => {
      let pulled = 0;
      let worst = 0;
      let left = 0;
      const numbers = async function* () {
        for (; pulled < 50; pulled++) yield String(pulled);
      };
      const counting = chunkHook(async (chunk) => {
        worst = Math.max(worst, pulled - left);
        await pause();
        left += 1;
        return chunk;
      });
      const { texts } = await act(numbers, [counting]);
      expect(texts).to.have.length(51);
      expect(worst).to.be.at.most(1);
    });

    it('resolves emit after the hooks have handled the chunk', async () => {
      const order: string[] = [];
      const noting = chunkHook(async (chunk) => {
        await pause(1);
        if (!chunk.last) order.push(`hook ${chunk.content}`);
        return chunk;
      });
      await act(
        async ({ emit }) => {
          for (const text of ['a', 'b']) {
            await emit(text);
            order.push(`emitted ${text}`);
          }
        },
        [noting],
      );
      expect(order).to.deep.equal(['hook a', 'emitted a', 'hook b', 'emitted b']);
    });

    it('fails a source that overflows the buffer and names the way to slow it', async () => {
      const { post, heard, texts, run } = await act(
        () => from(Array.from({ length: 100 }, (_, n) => `${n},`)),
        [slow],
        { buffer: { chunks: 8 } },
      );
      expect(post?.outcome).to.equal('failed');
      expect(heard.of('error')[0]).to.deep.include({ source: 'tool' });
      expect(heard.of('error')[0]?.error).to.include({ code: 'BUFFER_OVERFLOW' });
      expect(heard.of('error')[0]?.error.message).to.match(/8 chunks ahead.*await emit/);
      expect(texts.filter((text) => text !== '')).to.deep.equal([]);
      expect(run.fatal).to.equal(undefined);
    });

    for (const [overflow, kept] of [
      ['dropNewest', [0, 1, 2, 3]],
      ['dropOldest', [0, 7, 8, 9]],
    ] as const) {
      it(`keeps ${kept.join(', ')} of ten with ${overflow}, and logs it`, async () => {
        const { log, lines } = keptLog();
        const numbers = from(Array.from({ length: 10 }, (_, n) => String(n)));
        const { post, texts } = await act(() => numbers, [slow], { buffer: { chunks: 4, overflow }, log });
        expect(texts).to.deep.equal([...kept.map(String), '']);
        expect(post).to.deep.include({ outcome: 'executed', result: { content: kept.join(''), isError: false } });
        expect(lines.map(({ msg }) => msg)).to.deep.equal([
          'chunks are dropped: their source is faster than the hooks',
        ]);
      });
    }

    it('does not limit pulled chunks or awaited emits', async () => {
      const numbers = async function* () {
        for (let n = 0; n < 40; n++) yield 'x';
      };
      expect((await act(numbers, [slow], { buffer: { chunks: 1 } })).post?.outcome).to.equal('executed');
      const emitting = async ({ emit }: ToolContext) => {
        for (let n = 0; n < 40; n++) await emit('x');
      };
      expect((await act(emitting, [slow], { buffer: { chunks: 1 } })).post?.outcome).to.equal('executed');
    });

    it('rejects emits of a stopped tool without an unhandled rejection', async () => {
      let rejected: unknown;
      let finished: () => void = () => {};
      const done = new Promise<void>((resolve) => {
        finished = resolve;
      });
      const run = start([slow]);
      const tool = toolOf('tool', async (_, { emit }) => {
        void emit('never awaited');
        await emit('a').catch((thrown) => {
          rejected = thrown;
        });
        void emit('too late');
        finished();
      });
      const heard = hear(run.act(callOf('tool'), [tool]));
      run.cancel('enough');
      await done;
      await heard.ended;
      expect(rejected).to.include({ name: 'AbortError' });
    });

    it('keeps memory flat when a tool prints much through a slow hook', async () => {
      const block = 'x'.repeat(64 * 1024);
      let chunks = 0;
      let peak = 0;
      let began = 0;
      const printing = async function* () {
        for (let n = 0; n < 1_500; n++) yield `${block}${n}`;
      };
      const weigh = chunkHook((chunk) => {
        chunks += 1;
        if (chunks % 10 > 0) return of(chunk);
        if (chunks % 250 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed - began);
        return new Observable<typeof chunk>((subscriber) => {
          setImmediate(() => {
            subscriber.next(chunk);
            subscriber.complete();
          });
        });
      });
      const run = start([weigh]);
      began = process.memoryUsage().heapUsed;
      let result = 0;
      await new Promise<void>((resolve) => {
        run.act(callOf('tool'), [toolOf('tool', printing)]).subscribe({
          next: (event) => {
            if (event.type === 'postActing') result = event.result.content.length;
          },
          complete: resolve,
        });
      });
      expect(chunks).to.equal(1_501);
      expect(result).to.be.lessThan(101_000);
      // About 98 MB have passed through.
      expect(peak).to.be.lessThan(64 * 1024 * 1024);
    });

    it('joins chunks up to a limit and notes the rest', async () => {
      const { post } = await act(() => of('12345', '67890', 'abc'), [], { maxResultChars: 8 });
      expect(post?.result.content).to.equal('12345678\n[5 more characters were left out; this is the first 8]');
    });
  });

  it("measures only the tool's own time as durationMs", () => {
    marbles(({ run, tool, expectEvents, at, scheduler }) => {
      const acting = run(
        defineHook({
          name: 'slow',
          on: {
            preActing: (event) => of(event).pipe(delay(50, scheduler)),
            postActing: (event) => of(event).pipe(delay(50, scheduler)),
          },
        }),
      ).act(callOf('t'), [
        tool({ name: 't', marbles: '-------(r|)', values: { r: { content: 'x', isError: false } } }),
      ]);
      expectEvents(acting).toShow(['50 preActing call_1 t {}', '107 postActing call_1 executed "x"', '107 |']);
      let duration: number | undefined;
      acting.subscribe((event) => {
        if (event.type === 'postActing') duration = event.durationMs;
      });
      at(300, () => expect(duration).to.equal(7));
    });
  });

  it('lets timers fire during a flood of tool output', async () => {
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 0);
    const flood = async function* () {
      for (let n = 0; n < 20_000; n++) yield 'x';
    };
    await act(flood);
    clearInterval(ticking);
    expect(ticks).to.be.greaterThan(2);
  });

  it('unsubscribes a cancelled Observable and returns a cancelled iterator', async () => {
    let unsubscribed = false;
    let returned = false;
    const endless$ = new Observable<string>(() => () => {
      unsubscribed = true;
    });
    const iterable = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<string>>(() => {}),
        return: async () => {
          returned = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    for (const given of [endless$, iterable, interval(1).pipe(take(1e9)), NEVER]) {
      const heard = hear(start([]).act(callOf('tool'), [toolOf('tool', () => given as never)]));
      heard.subscription.unsubscribe();
    }
    await pause();
    expect([unsubscribed, returned]).to.deep.equal([true, true]);
  });
});

const nested = (levels: number) => JSON.parse(`${'{"c":'.repeat(levels)}1${'}'.repeat(levels)}`);
