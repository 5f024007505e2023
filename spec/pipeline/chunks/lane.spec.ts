import { expect } from 'chai';
import {
  bufferCount,
  concatMap,
  concatWith,
  defer,
  delay,
  EMPTY,
  endWith,
  filter,
  finalize,
  map,
  mergeMap,
  NEVER,
  type Observable,
  of,
  startWith,
  take,
  takeLast,
  timer,
} from 'rxjs';
import { accumulate } from '../../../lib/agent/accumulate.ts';
import { abort } from '../../../lib/events/decisions/abort.ts';
import { finish } from '../../../lib/events/decisions/finish.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import type { EventOf } from '../../../lib/events/hook-event.ts';
import { textOf, toolCallsOf } from '../../../lib/events/parts/messages.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { ChunkOperators, Handler, Hook, HookDefinition } from '../../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk } from '../../../lib/pipeline/define/model.ts';
import { marbles } from '../../../lib/testing/marbles/marbles.ts';
import { callOf, hear, modelOf, request, start, toolOf } from '../scene.ts';

type Chunk = EventOf<'reasoningChunk'>;
const on = (name: string, reasoningChunk: Handler<'reasoningChunk'>, own: Partial<HookDefinition> = {}): Hook =>
  defineHook({ name, on: { reasoningChunk }, ...own });
const through = (
  name: string,
  reasoningChunk: NonNullable<ChunkOperators['reasoningChunk']>,
  own: Partial<HookDefinition> = {},
) => defineHook({ name, through: { reasoningChunk }, ...own });
const upper = on('upper', (chunk) => modify(chunk, { delta: chunk.delta.toUpperCase() }));
const text = (delta: string, block?: number): ModelChunk => ({
  type: 'text',
  delta,
  ...(block !== undefined && { block }),
});

function reason(hooks: readonly Hook[], ...chunks: (ModelChunk | string)[]) {
  const run = start(hooks);
  const heard = hear(run.reason(request, modelOf(...chunks)));
  const deltas = () => heard.of('reasoningChunk').map(({ delta, last }) => (last ? '|' : delta));
  return {
    run,
    heard,
    deltas,
    message: () => textOf(heard.of('postReasoning')[0]?.message),
    post: () => heard.of('postReasoning')[0],
  };
}

describe('the chunk lane', () => {
  it('ends each block with one empty chunk', () => {
    const { heard } = reason([], 'Hel', 'lo');
    expect(heard.lines('reasoningChunk')).to.deep.equal([
      'reasoningChunk "Hel"',
      'reasoningChunk "lo"',
      'reasoningChunk last',
    ]);
    expect(heard.of('reasoningChunk').at(-1)).to.include({ delta: '', last: true });
  });

  it('ends open blocks in the order in which they started', () => {
    const ends = (...chunks: ModelChunk[]) =>
      reason([], ...chunks)
        .heard.of('reasoningChunk')
        .flatMap(({ block, last }) => (last ? [block] : []));
    const gone: ModelChunk = { type: 'blockEnd', block: 0 };
    expect(ends(text('a', 0), text('b', 2), text('c', 1))).to.deep.equal([0, 2, 1]);
    expect(ends(text('a', 0), text('b', 2), gone, text('c', 1))).to.deep.equal([0, 2, 1]);
    expect(ends(text('a', 0), gone, text('b', 2), text('c', 1))).to.deep.equal([0, 2, 1]);
  });

  it('prevents hooks from dropping, doubling or filling the last chunk', () => {
    const hooks: Handler<'reasoningChunk'>[] = [
      () => EMPTY,
      () => [],
      (chunk) => [chunk, chunk],
      (chunk) => modify(chunk, { delta: `${chunk.delta}!` }),
      (chunk) => of(chunk, chunk),
    ];
    for (const handler of hooks) {
      const { heard } = reason([on('greedy', handler)], 'a');
      expect(heard.of('reasoningChunk').filter(({ last }) => last)).to.have.length(1);
      expect(heard.of('reasoningChunk').at(-1)).to.include({ delta: '', last: true });
    }
  });

  it('emits text that a handler returns for the last chunk before it', () => {
    const { deltas, message } = reason(
      [on('dot', (chunk) => (chunk.last ? modify(chunk, { delta: '.' }) : undefined))],
      'a',
      'b',
    );
    expect(deltas()).to.deep.equal(['a', 'b', '.', '|']);
    expect(message()).to.equal('ab.');
  });

  it('drops, splits and doubles chunks', () => {
    const { deltas, message } = reason(
      [
        on('drop', (chunk) => (chunk.delta === 'b' ? EMPTY : undefined)),
        on('split', (chunk) => [...chunk.delta].map((delta) => modify(chunk, { delta }))),
      ],
      'xy',
      'b',
      'z',
    );
    expect(deltas()).to.deep.equal(['x', 'y', 'z', '|']);
    expect(message()).to.equal('xyz');
  });

  it('treats a chunk with emptied text as dropped', () => {
    const { deltas } = reason(
      [on('hush', (chunk) => (chunk.delta === 'b' ? modify(chunk, { delta: '' }) : undefined))],
      'a',
      'b',
      'c',
    );
    expect(deltas()).to.deep.equal(['a', 'c', '|']);
  });

  it('keeps the note of a chunk with emptied text', () => {
    const { heard } = reason(
      [
        on('redact', (chunk) =>
          chunk.last ? undefined : modify(chunk, { delta: '' }, { note: { code: 'redacted', message: 'x' } }),
        ),
      ],
      'secret',
    );
    expect(heard.lines('reasoningChunk')).to.deep.equal(['reasoningChunk "" [redacted]', 'reasoningChunk last']);
  });

  it('merges, holds back and flushes before the post event', () => {
    const pairs = through('pairs', (chunks$) =>
      chunks$.pipe(
        bufferCount(2),
        map((both) => modify(both[0] as Chunk, { delta: both.map(({ delta }) => delta).join('') })),
      ),
    );
    const { heard, message } = reason([pairs], 'a', 'b', 'c');
    expect(heard.lines('reasoningChunk', 'postReasoning')).to.deep.equal([
      'reasoningChunk "ab"',
      'reasoningChunk "c"',
      'reasoningChunk last',
      'postReasoning "abc"',
    ]);
    expect(message()).to.equal('abc');
  });

  it('orders on and through by one priority, on before through within a hook', () => {
    const tag = (name: string, priority: number) =>
      defineHook({
        name,
        priority,
        on: {
          reasoningChunk: (chunk) => (chunk.last ? undefined : modify(chunk, { delta: `${chunk.delta}${name}1` })),
        },
        through: {
          reasoningChunk: (chunks$) => chunks$.pipe(map((chunk) => modify(chunk, { delta: `${chunk.delta}${name}2` }))),
        },
      });
    expect(reason([tag('b', 20), tag('a', 10)], '-').deltas()).to.deep.equal(['-a1a2b1b2', '|']);
  });

  it('creates new operators for each block', () => {
    let made = 0;
    const first = through('first', (chunks$) => {
      made += 1;
      return chunks$.pipe(map((chunk, index) => modify(chunk, { delta: `${index}${chunk.delta}` })));
    });
    const { deltas } = reason([first], text('a', 0), text('b', 0), { type: 'blockEnd', block: 0 }, text('c', 1));
    expect(deltas()).to.deep.equal(['0a', '1b', '|', '0c', '|']);
    expect(made).to.equal(2);
  });

  it('separates interleaved blocks, each with its operators and its end', () => {
    const count = through('count', (chunks$) =>
      chunks$.pipe(map((chunk, index) => modify(chunk, { delta: `${chunk.delta}${index}` }))),
    );
    const { heard, message } = reason([count], text('a', 0), text('x', 1), text('b', 0), text('y', 1));
    expect(heard.of('reasoningChunk').map(({ block, delta, last }) => `${block}${last ? '|' : delta}`)).to.deep.equal([
      '0a0',
      '1x0',
      '0b1',
      '1y1',
      '0|',
      '1|',
    ]);
    expect(message()).to.equal('a0b1x0y1');
  });

  it('starts a new block when a model without block numbers changes the kind of part', () => {
    const { heard, post } = reason([], { type: 'thinking', delta: 'hm' }, 'a', { type: 'thinking', delta: 'oh' }, 'b');
    expect(
      heard.of('reasoningChunk').map(({ part, block, last }) => `${part} ${block}${last ? '|' : ''}`),
    ).to.deep.equal([
      'thinking 0',
      'thinking 0|',
      'text 1',
      'text 1|',
      'thinking 2',
      'thinking 2|',
      'text 3',
      'text 3|',
    ]);
    expect(post()?.message.parts.map((part) => part.type)).to.deep.equal(['thinking', 'text', 'thinking', 'text']);
  });

  it('shows parallel tool inputs as separate blocks and receives whole calls', () => {
    const input = (toolCallId: string, delta: string): ModelChunk => ({ type: 'toolInput', toolCallId, delta });
    const { heard, post } = reason(
      [upper],
      input('a', '{"n"'),
      input('b', '{}'),
      input('a', ':1}'),
      { type: 'toolCall', toolCall: callOf('x', { n: 1 }, 'a') },
      { type: 'toolCall', toolCall: callOf('y', {}, 'b') },
      input('c', '{"never'),
    );
    const chunks = heard.of('reasoningChunk');
    expect(chunks.map((chunk) => `${chunk.toolCallId}${chunk.last ? '|' : chunk.delta}`)).to.deep.equal([
      'a{"N"',
      'b{}',
      'a:1}',
      'a|',
      'b|',
      'c{"NEVER',
      'c|',
    ]);
    // Changes to the streamed input do not affect the call, and an unfinished input is dropped.
    expect(toolCallsOf(post()?.message)).to.deep.equal([callOf('x', { n: 1 }, 'a'), callOf('y', {}, 'b')]);
    expect(post()?.finishReason).to.equal('toolCalls');
  });

  it('ignores chunks of a block that the model has ended', async () => {
    const seen: string[] = [];
    const watch = on('watch', async (chunk) => void seen.push(chunk.last ? '|' : chunk.delta));
    const { deltas, heard } = reason([watch], text('a', 0), { type: 'blockEnd', block: 0 }, text('b', 0), text('c', 1));
    await heard.ended;
    expect(deltas()).to.deep.equal(['a', 'c', '|', '|']);
    expect(seen).to.deep.equal(['a', 'c', '|', '|']);
  });

  it('keeps the order with asynchronous handlers of any speed', () => {
    marbles(({ run, model, expectEvents, scheduler }) => {
      const slow = on('slow', (chunk) => (chunk.delta === 'a' ? of(chunk).pipe(delay(5, scheduler)) : of(chunk)));
      const source = model([{ marbles: 'ab-c|' }]);
      expectEvents(run(slow).reason(request, source)).toShow([
        '0 preReasoning',
        '5 reasoningChunk "a"',
        '5 reasoningChunk "b"',
        '5 reasoningChunk "c"',
        '5 reasoningChunk last',
        '5 postReasoning "abc"',
        '5 |',
      ]);
    });
  });

  it('lets a stage process a chunk while an earlier stage processes the next', () => {
    marbles(({ run, model, expectEvents, scheduler }) => {
      const slow = (name: string) =>
        on(name, (chunk) => (chunk.last ? undefined : of(chunk).pipe(delay(3, scheduler))));
      expectEvents(run([slow('one'), slow('two')]).reason(request, model([{ marbles: '(ab|)' }]))).toShow([
        '0 preReasoning',
        '6 reasoningChunk "a"',
        '9 reasoningChunk "b"',
        '9 reasoningChunk last',
        '9 postReasoning "ab"',
        '9 |',
      ]);
    });
  });

  it('lets an Observable handler emit chunks over time, before the next chunk', () => {
    marbles(({ run, model, expectEvents, scheduler }) => {
      const echo = on('echo', (chunk) =>
        chunk.delta === 'a'
          ? of(chunk).pipe(concatWith(of(modify(chunk, { delta: 'A' })).pipe(delay(2, scheduler))))
          : undefined,
      );
      expectEvents(run(echo).reason(request, model([{ marbles: '(ab|)' }]))).toShow([
        '0 preReasoning',
        '0 reasoningChunk "a"',
        '2 reasoningChunk "A"',
        '2 reasoningChunk "b"',
        '2 reasoningChunk last',
        '2 postReasoning "aAb"',
        '2 |',
      ]);
    });
  });

  it('waits for operators that emit after the end of the source', () => {
    marbles(({ run, model, expectEvents, scheduler }) => {
      const late = through('late', (chunks$) =>
        chunks$.pipe(concatMap((chunk) => of(chunk).pipe(delay(10, scheduler)))),
      );
      expectEvents(run([late, upper]).reason(request, model([{ marbles: '(ab|)' }]))).toShow([
        '0 preReasoning',
        '10 reasoningChunk "A"',
        '20 reasoningChunk "B"',
        '20 reasoningChunk last',
        '20 postReasoning "AB"',
        '20 |',
      ]);
    });
  });

  it('stops operators that never complete after the flush timeout', () => {
    marbles(({ run, model, expectEvents, at }) => {
      let signal: AbortSignal | undefined;
      const never = through(
        'never',
        (chunks$, context) => {
          signal = context.signal;
          return chunks$.pipe(concatWith(NEVER));
        },
        { timeoutMs: 30 },
      );
      expectEvents(run(never).reason(request, model([{ marbles: '-a|' }]))).toShow([
        '0 preReasoning',
        '1 reasoningChunk "a"',
        '32 error reasoning hook never "…did not complete within 30 ms…"',
        '32 |',
      ]);
      at(31, () => expect(signal?.aborted).to.equal(false));
      at(33, () => expect(signal?.aborted).to.equal(true));
    });
  });

  it('allows a flush five seconds by default', () => {
    marbles(({ run, model, expectEvents }) => {
      const never = through('never', () => NEVER);
      expectEvents(run(never).reason(request, model(['a']))).toShow([
        '0 preReasoning',
        '5000 error reasoning hook never "…within 5000 ms…"',
        '5000 |',
      ]);
    });
  });

  it('lets operators start and end with their own chunks', () => {
    const frame = through('frame', (chunks$) =>
      defer(() => {
        const template: Chunk[] = [];
        const made = (delta: string) => ({ ...(template[0] as Chunk), delta });
        return chunks$.pipe(
          map((chunk) => {
            template[0] ??= chunk;
            return chunk;
          }),
          (source$) => source$.pipe(concatWith(defer(() => of(made('>'))))),
        );
      }),
    );
    expect(reason([frame], 'a', 'b').deltas()).to.deep.equal(['a', 'b', '>', '|']);
  });

  it('rejects any other change to a chunk and names the field', () => {
    for (const members of [
      { block: 7 },
      { attempt: 9 },
      { part: 'thinking' },
      { last: true },
      { content: 'x' },
      { extra: 1 },
    ]) {
      const [name] = Object.keys(members);
      const change = (chunk: Chunk) => ({ ...chunk, ...members }) as Chunk;
      for (const liar of [
        through('liar', (chunks$) => chunks$.pipe(map(change))),
        on('liar', (chunk) => (chunk.last ? undefined : change(chunk))),
        on('liar', (chunk) => (chunk.last ? undefined : Object.assign(modify(chunk, { delta: 'x' }), members))),
      ]) {
        const { run, deltas } = reason([liar], 'a');
        expect((run.fatal as Error).message).to.match(new RegExp(`^Hook "liar" .*"${name}"`));
        expect(deltas()).to.deep.equal([]);
      }
    }
  });

  it('rejects any other change to an acting chunk too', () => {
    const sly = defineHook({
      name: 'sly',
      on: {
        actingChunk: (chunk) =>
          chunk.last ? undefined : Object.assign(modify(chunk, { content: 'x' }), { delta: 'y' }),
      },
    });
    const heard = hear(start([sly]).act(callOf('t'), [toolOf('t', () => of('a'))]));
    expect(heard.of('error')[0]?.error.message).to.include('(actingChunk): changed "delta"');
    expect(heard.of('actingChunk')).to.deep.equal([]);
  });

  it('accepts a chunk that accumulate() has extended', () => {
    const shout = through(
      'shout',
      (chunks$) =>
        chunks$.pipe(
          accumulate(),
          map((chunk) => ({ ...chunk, delta: `${(chunk as unknown as { accumulated: string }).accumulated.length}` })),
        ) as typeof chunks$,
    );
    expect(reason([shout], 'ab', 'c').deltas()).to.deep.equal(['2', '3', '|']);
  });

  it('accepts a changed chunk next to a decision that an operator took on the same chunk', () => {
    const stop = through('stop', (chunks$) =>
      chunks$.pipe(concatMap((chunk) => [modify(chunk, { delta: 'changed' }), finish(modify(chunk, { delta: '.' }))])),
    );
    const { heard, deltas, post } = reason([stop], 'a', 'b');
    expect(heard.lines('error')).to.deep.equal([]);
    expect(deltas()).to.deep.equal(['changed', '.', '|']);
    expect(post()?.finishReason).to.equal('stopped');
    const both = through('both', (chunks$) =>
      chunks$.pipe(
        concatMap((chunk) => {
          const decided = finish(chunk);
          return [modify(chunk, { delta: 'changed' }), decided];
        }),
      ),
    );
    expect(reason([both], 'a', 'b').deltas()).to.deep.equal(['changed', 'a', '|']);
  });

  it('keeps the authors of notes from earlier stages', () => {
    const noting = on('noting', (chunk) =>
      chunk.last ? undefined : modify(chunk, {}, { note: { code: 'seen', message: 'x' } }),
    );
    const identity = through('identity', (chunks$) => chunks$);
    const own = through('own', (chunks$) =>
      chunks$.pipe(map((chunk) => modify(chunk, {}, { note: { code: 'own', message: 'y' } }))),
    );
    const { heard } = reason([noting, identity, own], 'a');
    expect(heard.of('reasoningChunk')[0]?.notes?.map(({ by, code }) => `${by} ${code}`)).to.deep.equal([
      'noting seen',
      'own own',
    ]);
  });

  describe('finish', () => {
    it('emits the chunk, stops the source and keeps earlier chunks', () => {
      let asked = 0;
      const model: Model = () =>
        timer(0, 1).pipe(
          map((n) => {
            asked += 1;
            return text(String(n));
          }),
        );
      marbles(({ run, expectEvents, scheduler }) => {
        const counted: Model = (given, context) => (model(given, context) as Observable<ModelChunk>).pipe(take(100));
        const stop = on('stop', (chunk) => (chunk.delta === '2' ? finish(chunk) : undefined));
        expect(scheduler.frame).to.equal(0);
        expectEvents(run(stop).reason(request, counted)).toShow([
          '0 preReasoning',
          '0 reasoningChunk "0"',
          '1 reasoningChunk "1"',
          '2 reasoningChunk "2" => finish by stop',
          '2 reasoningChunk last',
          '2 postReasoning "012" stopped',
          '2 |',
        ]);
      });
      expect(asked).to.equal(3);
    });

    it('drops chunks held by earlier stages and flushes later ones', () => {
      const hold = (name: string) =>
        through(name, (chunks$) =>
          chunks$.pipe(
            takeLast(9),
            map((chunk) => modify(chunk, { delta: `${chunk.delta}${name}` })),
          ),
        );
      const pass = through('early', (chunks$) =>
        chunks$.pipe(
          mergeMap((chunk) => (chunk.delta === 'held' ? EMPTY : of(chunk))),
          endWith({ delta: 'flushed' } as Chunk),
        ),
      );
      const stop = on('stop', (chunk) => (chunk.delta === 'b' ? finish(chunk) : undefined));
      const { deltas, message } = reason([pass, stop, hold('late')], 'a', 'b', 'c');
      expect(deltas()).to.deep.equal(['alate', 'blate', '|']);
      expect(message()).to.equal('alateblate');
    });

    it('ends and flushes other open blocks too', () => {
      const stop = on('stop', (chunk) => (chunk.delta === 'x' ? finish(chunk) : undefined));
      const { heard } = reason([stop], text('a', 0), text('x', 1), text('b', 0));
      expect(
        heard.of('reasoningChunk').map(({ block, delta, last }) => `${block}${last ? '|' : delta}`),
      ).to.have.members(['0a', '1x', '0|', '1|']);
      expect(heard.of('postReasoning')[0]?.finishReason).to.equal('stopped');
    });

    it('is implied by an operator that completes early', () => {
      const { deltas, post, message } = reason(
        [through('two', (chunks$) => chunks$.pipe(take(2))), upper],
        'a',
        'b',
        'c',
        'd',
      );
      expect(deltas()).to.deep.equal(['A', 'B', '|']);
      expect(message()).to.equal('AB');
      expect(post()?.finishReason).to.equal('stopped');
    });

    it('takes effect on the last chunk of a block', () => {
      const stop = on('stop', (chunk) => (chunk.last ? finish(chunk) : undefined));
      const { heard, post } = reason([stop], text('a', 0), { type: 'blockEnd', block: 0 }, text('b', 1));
      expect(heard.lines('reasoningChunk')).to.deep.equal([
        'reasoningChunk "a"',
        'reasoningChunk last => finish by stop',
      ]);
      expect(post()?.finishReason).to.equal('stopped');
    });

    describe('on the last chunk of a block that another kind of part ended', () => {
      const thinking: ModelChunk = { type: 'thinking', delta: 'hm' };
      const enough: Handler<'reasoningChunk'> = (chunk) => (chunk.last ? finish(chunk) : undefined);

      it('emits nothing of the next part', () => {
        const { deltas, post, heard } = reason([on('enough', enough)], thinking, 'secret', 'more');
        expect(deltas()).to.deep.equal(['hm', '|']);
        expect([post()?.finishReason, post()?.message.parts]).to.deep.equal([
          'stopped',
          [{ type: 'thinking', text: 'hm' }],
        ]);
        expect(heard.completed).to.equal(true);
      });

      it('waits for pending chunks and then ends', () => {
        marbles(({ run, model, expectEvents, scheduler }) => {
          const slow = on('slow', (chunk) => (chunk.delta === 'a' ? of(chunk).pipe(delay(9, scheduler)) : undefined));
          const stop = on('stop', (chunk) => (chunk.part === 'thinking' && chunk.last ? finish(chunk) : undefined));
          const values = { a: text('a'), b: thinking, c: text('secret') };
          expectEvents(run([slow, stop]).reason(request, model([{ marbles: 'abc-|', values }]))).toShow([
            '0 preReasoning',
            '1 reasoningChunk thinking "hm" block 1',
            '2 reasoningChunk thinking last block 1 => finish by stop',
            '9 reasoningChunk "a"',
            '9 reasoningChunk last',
            '9 postReasoning "a" stopped',
            '9 |',
          ]);
        });
      });
    });

    it('keeps pending chunks when a wrapper retries during its teardown', () => {
      marbles(({ run, model, expectEvents, scheduler }) => {
        const slow = on('slow', (chunk) => (chunk.block === 0 ? of(chunk).pipe(delay(9, scheduler)) : undefined));
        const stop = on('stop', (chunk) => (chunk.delta === 'b' ? finish(chunk) : undefined));
        const again = defineHook({
          name: 'again',
          around: { reasoning: (_, next) => next().pipe(finalize(() => void next().subscribe())) },
        });
        const source = model([{ marbles: 'ab-|', values: { a: text('a', 0), b: text('b', 1) } }, { marbles: '|' }]);
        expectEvents(run([slow, stop, again]).reason(request, source)).toShow([
          '0 preReasoning',
          '1 reasoningChunk "b" block 1 => finish by stop',
          '1 reasoningChunk last block 1',
          '9 reasoningChunk "a"',
          '18 reasoningChunk last',
          '18 postReasoning "ab" stopped',
          '18 |',
        ]);
      });
    });

    it('keeps pending chunks of a tool when a wrapper retries during its teardown', () => {
      marbles(({ run, tool, expectEvents, scheduler }) => {
        const stop = defineHook({
          name: 'stop',
          on: { actingChunk: (chunk) => (chunk.content === 'b' ? finish(chunk) : undefined) },
        });
        const slow = defineHook({
          name: 'slow',
          on: { actingChunk: (chunk) => (chunk.last ? undefined : of(chunk).pipe(delay(9, scheduler))) },
        });
        const again = defineHook({
          name: 'again',
          around: { acting: (_, next) => next().pipe(finalize(() => void next().subscribe())) },
        });
        const talking = tool({ name: 't', marbles: 'ab-|' });
        expectEvents(run([stop, slow, again]).act(callOf('t'), [talking])).toShow([
          '0 preActing call_1 t {}',
          '9 actingChunk call_1 "a"',
          '18 actingChunk call_1 "b" => finish by stop',
          '18 actingChunk call_1 last',
          '18 postActing call_1 executed "ab"',
          '18 |',
        ]);
      });
    });

    it('may be set on one of several chunks from a handler', () => {
      const stop = on('stop', (chunk) =>
        chunk.delta === 'ab'
          ? [modify(chunk, { delta: 'a' }), finish(modify(chunk, { delta: 'b' })), chunk]
          : undefined,
      );
      const { run, heard, message } = reason([stop], 'ab', 'c');
      expect(run.fatal).to.equal(undefined);
      expect(heard.lines('reasoningChunk')).to.deep.equal([
        'reasoningChunk "a"',
        'reasoningChunk "b" => finish by stop',
        'reasoningChunk last',
      ]);
      expect(message()).to.equal('ab');
    });

    it('may come later from an Observable that emits other chunks first', () => {
      const stop = on('stop', (chunk) => {
        if (chunk.last) return undefined;
        const finished = finish(modify(chunk, { delta: 'end' }));
        return of(modify(chunk, { delta: 'first' }), finished);
      });
      const { run, deltas } = reason([stop], 'a', 'b');
      expect(run.fatal).to.equal(undefined);
      expect(deltas()).to.deep.equal(['first', 'end', '|']);
    });

    it('causes a contract error if it is dropped with its chunk', () => {
      for (const drop of [() => EMPTY, () => []]) {
        const forgetful = on('stop', (chunk) => {
          if (chunk.last) return undefined;
          finish(chunk);
          return drop();
        });
        const { run } = reason([forgetful], 'a');
        expect((run.fatal as Error).message).to.match(/did not return it/);
      }
    });

    it('causes a contract error if its chunk was changed by another hook and is dropped', () => {
      const change = on('change', (chunk) => (chunk.last ? undefined : modify(chunk, { delta: `${chunk.delta}.` })));
      const forgetful = on('stop', (chunk) => {
        if (!chunk.last) finish(chunk);
        return undefined;
      });
      const run = start([change, forgetful]);
      hear(run.reason(request, modelOf('a')));
      expect((run.fatal as Error).message).to.match(/"stop" .*did not return it/);
    });

    it('stops a tool and keeps earlier chunks', () => {
      let running = true;
      const tool = toolOf('t', (_, { signal }) => {
        signal.addEventListener('abort', () => {
          running = false;
        });
        return of('a', 'b').pipe(concatWith(NEVER));
      });
      const stop = defineHook({
        name: 'stop',
        on: { actingChunk: (chunk) => (chunk.content === 'b' ? finish(chunk) : undefined) },
      });
      const heard = hear(start([stop]).act(callOf('t'), [tool]));
      expect(heard.of('postActing')[0]).to.deep.include({
        outcome: 'executed',
        result: { content: 'ab', isError: false },
      });
      expect(running).to.equal(false);
    });
  });

  describe('abort', () => {
    it('emits nothing more, not even held chunks', () => {
      const held = through('held', (chunks$) => chunks$.pipe(takeLast(9)));
      const stop = on('stop', (chunk) => (chunk.delta === 'b' ? abort(chunk, 'leak') : undefined));
      const { heard } = reason([stop, held], 'a', 'b', 'c');
      expect(heard.lines()).to.deep.equal(['preReasoning', 'reasoningChunk "" => abort "leak" by stop']);
      expect(heard.completed).to.equal(true);
    });

    it('does not emit the text that caused it', () => {
      const stop = on('stop', (chunk) => (chunk.last ? undefined : abort(chunk, 'leak')));
      const { heard } = reason([stop], 'secret');
      expect(JSON.stringify(heard.events)).not.to.contain('secret');
    });

    it('takes effect when it is decided later, and on the last chunk', async () => {
      const later = on('later', async (chunk) => (chunk.last ? abort(chunk, 'leak') : undefined));
      const { heard } = reason([later], 'a');
      await heard.ended;
      expect(heard.lines()).to.deep.equal([
        'preReasoning',
        'reasoningChunk "a"',
        'reasoningChunk last => abort "leak" by later',
      ]);
    });

    it('unsubscribes later stages without a flush', () => {
      let flushed = false;
      const later = through('later', (chunks$) =>
        chunks$.pipe(
          filter(() => true),
          concatWith(
            defer(() => {
              flushed = true;
              return EMPTY;
            }),
          ),
        ),
      );
      reason([on('stop', (chunk) => abort(chunk, 'leak')), later], 'a');
      expect(flushed).to.equal(false);
    });
  });

  it('fails the run when a stage fails, without chunks that the stage had not passed', async () => {
    const failing = on('failing', async (chunk) => {
      if (chunk.delta === 'b') throw new Error('broken');
      return chunk;
    });
    const { heard, run, deltas } = reason([failing], 'a', 'b', 'c');
    await heard.ended;
    expect(deltas()).to.deep.equal(['a']);
    expect(heard.of('postReasoning')).to.deep.equal([]);
    expect(heard.of('error')[0]).to.include({ source: 'hook', hook: 'failing' });
    expect(run.fatal).to.be.an('error');
  });

  it('emits the start values of operators at once, before the chunks', () => {
    const made = { delta: '> ' } as Chunk;
    const prefix = through('prefix', (chunks$) =>
      chunks$.pipe(
        startWith(made),
        map((chunk) => (chunk.type ? chunk : chunk)),
      ),
    );
    const { run } = reason([prefix], 'a');
    // An event has a type and a run, so operators must derive new chunks from existing ones.
    expect((run.fatal as Error).message).to.match(/"prefix" \(reasoningChunk\)/);
  });
});
