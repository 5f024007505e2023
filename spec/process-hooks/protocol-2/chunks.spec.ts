import { expect } from 'chai';
import {
  concat,
  concatMap,
  defer,
  delay,
  first,
  from,
  interval,
  lastValueFrom,
  NEVER,
  type Observable,
  of,
  retry,
  Subject,
  switchMap,
  take,
  toArray,
} from 'rxjs';
import { z } from 'zod';
import {
  createPipeline,
  defineHook,
  defineTool,
  finish,
  type Hook,
  type Model,
  type ModelChunk,
  type SettledEvent,
} from '../../../lib/index.ts';
import type { ProcessHook } from '../../../lib/process-hooks/index.ts';
import { chunkBatchSchema } from '../../../lib/process-hooks/protocol-2/chunk-batch.ts';
import { clientScene } from './scene.ts';

const open: ProcessHook[] = [];
const END: ModelChunk = { type: 'finish', finishReason: 'stop' };
const text = (delta: string): ModelChunk => ({ type: 'text', delta });
const says =
  (...deltas: string[]): Model =>
  () =>
    from([...deltas.map(text), END]);
const pause = () => new Promise((resolve) => setTimeout(resolve, 30));

function scene(source: string, options: Parameters<typeof clientScene>[1] = {}) {
  const made = clientScene(source, { intercept: [], chunks: ['reasoning', 'acting'], ...options });
  open.push(made.hook);
  const run = (hooks: Hook[] = []) => createPipeline([made.hook, ...hooks]).start({ agent: 'a', sessionId: 's' });
  return { ...made, run };
}

const all = (events$: Observable<unknown>) => lastValueFrom((events$ as Observable<SettledEvent>).pipe(toArray()));

/** Emitted chunks, and how the stream ended. */
async function reason(made: ReturnType<typeof scene>, model: Model, hooks: Hook[] = []) {
  const events = await all(made.run(hooks).reason({ messages: [] }, model));
  const chunks = events.flatMap((event) => (event.type === 'reasoningChunk' && !event.last ? [event.delta] : []));
  return { events, chunks, last: events.at(-1) as SettledEvent };
}

const BATCHES = `methods['hook.chunks'] = (batch) => { note(batch); return { chunks: batch.chunks }; };`;
const UPPER = `methods['hook.chunks'] = ({ chunks }) => ({ chunks: chunks.map((text) => text.toUpperCase()) });`;
/** Joins all text of a stream and emits it at the end. */
const HOLD = `const held = {};
  methods['hook.discard'] = (params) => note(['discard', params.stream]);
  methods['hook.cancel'] = () => note(['cancel']);
  methods['hook.chunks'] = ({ stream, chunks, last }) => {
    held[stream] = (held[stream] ?? '') + chunks.join('');
    return { chunks: last ? [held[stream]] : [] };
  };`;

describe('chunks of a process hook in protocol 2', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((hook) => hook.stop()));
  });

  it('announces them in hello', async () => {
    const made = scene(`methods['hook.hello'] = (params) => { note(params); return { protocol: 2 }; }; ${UPPER}`);
    await reason(made, says('a'));
    expect(made.notes[0]).to.deep.include({ modes: ['chunks'], protocols: [1, 2] });
  });

  it('sends one batch at a time, and later chunks in the next one', async () => {
    const made = scene(BATCHES);
    const { chunks } = await reason(made, says('a', 'b', 'c'));
    while (made.notes.length < 2) await pause();
    expect(chunks).to.deep.equal(['a', 'b', 'c']);
    const [first, second] = made.notes as z.infer<typeof chunkBatchSchema>[];
    expect(made.notes.map((batch) => chunkBatchSchema.safeParse(batch).error)).to.deep.equal([undefined, undefined]);
    expect(first).to.deep.include({ type: 'reasoningChunk', stream: 1, agent: 'a', sessionId: 's', part: 'text' });
    expect(first).to.deep.include({ iteration: 1, block: 0, attempt: 1, chunks: ['a'], last: false, format: 1 });
    expect(second).to.deep.include({ stream: 1, chunks: ['b', 'c'], last: true });
  });

  it('sends one batch at a time even if emitted chunks bring the next ones', async () => {
    const made = scene(`
      let now = 0;
      methods['hook.chunks'] = async ({ chunks }) => {
        now += 1;
        note([now, chunks]);
        await new Promise((on) => setTimeout(on, 20));
        now -= 1;
        return { chunks: chunks.join('') === 'a' ? ['x', 'y'] : chunks };
      };`);
    const source$ = new Subject<ModelChunk>();
    const left: string[] = [];
    const events$ = made.run().reason({ messages: [] }, () => source$) as Observable<SettledEvent>;
    const done = new Promise<void>((resolve) => {
      events$.subscribe({
        next(event) {
          if (event.type !== 'reasoningChunk' || event.last) return;
          left.push(event.delta);
          if (event.delta === 'x' || event.delta === 'y') source$.next(text(`after ${event.delta}`));
          if (event.delta === 'after y') source$.next(END);
          if (event.delta === 'after y') source$.complete();
        },
        complete: resolve,
      });
    });
    source$.next(text('a'));
    await done;
    while (made.notes.length < 3) await pause();
    expect(left).to.deep.equal(['x', 'y', 'after x', 'after y']);
    expect(made.notes).to.deep.equal([
      [1, ['a']],
      [1, ['after x', 'after y']],
      [1, []],
    ]);
  });

  it('traces them like those of any other hook', async () => {
    const made = scene(UPPER);
    const run = createPipeline([made.hook], { trace: true }).start({ agent: 'a' });
    const events = await all(run.reason({ messages: [] }, says('a', 'b')));
    const chunks = events.flatMap((event) => (event.type === 'reasoningChunk' && !event.last ? [event.delta] : []));
    expect(chunks).to.deep.equal(['A', 'B']);
  });

  it('changes, drops, splits and merges them, also in the message', async () => {
    const made = scene(`
      methods['hook.chunks'] = ({ chunks, last }) => ({ chunks: chunks.join('') === 'a' ? ['x', '', 'y'] : last ? ['z'] : [] });`);
    const { chunks, last } = await reason(made, says('a', 'b', 'c'));
    expect(chunks).to.deep.equal(['x', 'y', 'z']);
    expect(last.type === 'postReasoning' && last.message.parts).to.deep.equal([{ type: 'text', text: 'xyz' }]);
  });

  it('emits held-back chunks at the end', async () => {
    const slow: Model = () => concat(from(['a', 'b']).pipe(concatMap((one) => of(text(one)).pipe(delay(20)))), of(END));
    const { chunks } = await reason(scene(HOLD), slow);
    expect(chunks).to.deep.equal(['ab']);
  });

  it('has a stream for each block and each call', async () => {
    const made = scene(BATCHES);
    const model: Model = () => from([{ type: 'thinking', delta: 'hm' }, text('a'), END] as ModelChunk[]);
    await reason(made, model);
    const tool = defineTool({
      name: 'print',
      description: 'Prints.',
      inputSchema: z.object({}),
      execute: () => from(['p', 'q']),
    });
    const events = await all(made.run().act({ id: 'c1', name: 'print', input: {} }, [tool]));
    const done = events.at(-1);
    expect(done?.type === 'postActing' && done.result.content).to.equal('pq');
    while (!(made.notes as { stream: number }[]).some(({ stream }) => stream === 3)) await pause();
    const streams = (made.notes as { stream: number; type: string; part?: string; toolCall?: { id: string } }[]).map(
      ({ stream, type, part, toolCall }) => `${stream} ${type} ${part ?? toolCall?.id}`,
    );
    expect([...new Set(streams)]).to.deep.equal([
      '1 reasoningChunk thinking',
      '2 reasoningChunk text',
      '3 actingChunk c1',
    ]);
  });

  it('stops the model when the hook finishes', async () => {
    const made = scene(`methods['hook.chunks'] = ({ chunks }) => ({ chunks: [chunks[0] + '.'], finish: true });`);
    const { chunks, last } = await reason(made, () => concat(of(text('a')), NEVER));
    expect(chunks).to.deep.equal(['a.']);
    expect(last.type === 'postReasoning' && last.message.parts).to.deep.equal([{ type: 'text', text: 'a.' }]);
  });

  it('ends the run with a reason', async () => {
    const made = scene(`methods['hook.chunks'] = () => ({ abort: 'not this' });`);
    const { chunks, events } = await reason(made, says('a', 'b'));
    expect(chunks.join('')).to.equal('');
    const decided = events.find((event) => event.type === 'reasoningChunk' && event.decision);
    expect(decided?.type === 'reasoningChunk' && decided.decision).to.deep.include({
      action: 'abort',
      by: 'remote',
      reason: 'not this',
    });
  });

  it('keeps the decision of an earlier hook on them', async () => {
    const stop = defineHook({
      name: 'stop',
      priority: -1,
      on: { reasoningChunk: (chunk) => (chunk.delta === 'b' ? finish(chunk) : undefined) },
    });
    const { chunks } = await reason(
      scene(UPPER, { profile: 'hookline' }),
      () => concat(of(text('a'), text('b')), NEVER),
      [stop],
    );
    expect(chunks).to.deep.equal(['A', 'B']);
  });

  it('discards them, with a notification, when an attempt is retracted, and restarts', async () => {
    // Sent after the reply was written.
    const made = scene(`${HOLD}
      const hold = methods['hook.chunks'];
      methods['hook.chunks'] = (batch) => { setTimeout(() => note(['answered']), 10); return hold(batch); };`);
    const told = (what: string) => made.notes.filter((note) => (note as unknown[])[0] === what);
    let attempts = 0;
    const model: Model = () => {
      attempts += 1;
      const end$ =
        attempts === 1
          ? defer(async () => {
              while (told('answered').length === 0) await pause();
              throw new Error('gone');
            })
          : of(END);
      return concat(of(text(`${attempts}`)), end$);
    };
    const again = defineHook({ name: 'again', around: { reasoning: (_, next) => next().pipe(retry(1)) } });
    const { chunks } = await reason(made, model, [again]);
    while (told('discard').length === 0) await pause();
    expect(chunks).to.deep.equal(['2']);
    expect([told('discard'), told('cancel')]).to.deep.equal([[['discard', 1]], []]);
  });

  it('cancels and discards them when the run is cancelled', async () => {
    const made = scene(`${HOLD} methods['hook.chunks'] = () => { note(['asked']); return new Promise(() => {}); };`);
    const cut = made
      .run()
      .reason({ messages: [] }, () => concat(of(text('a')), NEVER))
      .subscribe();
    while (made.notes.length === 0) await pause();
    cut.unsubscribe();
    while (made.notes.length < 3) await pause();
    expect(made.notes).to.deep.equal([['asked'], ['cancel'], ['discard', 1]]);
  });

  for (const [what, source, options, issue] of [
    [
      'does not answer',
      `methods['hook.chunks'] = () => null;`,
      { timeouts: { interceptorMs: 600 } },
      /did not answer hook.chunks within \d+ ms/,
    ],
    ['exits', `methods['hook.chunks'] = () => process.exit(3);`, {}, /exited with code 3/],
    [
      'returns nothing',
      `methods['hook.chunks'] = () => ({});`,
      {},
      /gave no reply to hook.chunks.*must contain chunks, finish or abort/s,
    ],
    ['misspells a field', `methods['hook.chunks'] = () => ({ chunk: ['x'] });`, {}, /Unrecognized key: "chunk"/],
    [
      'returns another value',
      `methods['hook.chunks'] = () => ({ chunks: [7] });`,
      {},
      /expected string.*at chunks\[0\]/s,
    ],
    ['uses protocol 1', `methods['hook.hello'] = () => ({ ok: true });`, {}, /uses protocol 1, which has no chunks/],
  ] as const) {
    it(`emits nothing raw when the process ${what}`, async () => {
      const { chunks, last } = await reason(scene(source, options as object), says('raw', 'text'));
      expect(chunks.join('')).to.equal('');
      expect(last.type === 'error' && last.error.message).to.match(issue);
    });
  }

  it('fails if the process restarts while it holds text back', async () => {
    const made = scene(
      `methods['hook.chunks'] = ({ last }) => { if (!last) setTimeout(() => process.exit(3), 20); return { chunks: [] }; };`,
    );
    const ready = () => made.logged.filter(({ msg }) => msg === 'a hook process is ready').length;
    const restarted$ = interval(20).pipe(first(() => ready() === 2));
    const { last } = await reason(made, () =>
      concat(of(text('a')), restarted$.pipe(switchMap(() => [text('b'), END]))),
    );
    expect(last.type === 'error' && last.error.message).to.match(/restarted in the middle of a stream/);
  });

  it('stops a tool that prints faster than the process reads', async () => {
    const made = scene(
      `methods['hook.chunks'] = async ({ chunks }) => { await new Promise((on) => setTimeout(on, 5)); return { chunks }; };`,
    );
    let printed = 0;
    let seen = 0;
    let ahead = 0;
    const tool = defineTool({
      name: 'print',
      description: 'Prints.',
      inputSchema: z.object({}),
      async *execute() {
        for (;;) {
          printed += 1;
          ahead = Math.max(ahead, printed - seen);
          yield 'x'.repeat(1 << 16);
        }
      },
    });
    const events$ = made.run().act({ id: 'c', name: 'print', input: {} }, [tool]) as Observable<SettledEvent>;
    await new Promise<void>((resolve) => {
      events$.pipe(take(400)).subscribe({
        next: () => {
          seen += 1;
        },
        complete: resolve,
      });
    });
    expect(seen).to.equal(400);
    // 16 of these are 1 MiB. Some more are in flight.
    expect(ahead).to.be.lessThan(40);
  });

  it('rejects onFailure skip', () => {
    expect(() => scene(UPPER, { onFailure: 'skip' })).to.throw(/onFailure "skip" is not allowed with chunks/);
  });
});
