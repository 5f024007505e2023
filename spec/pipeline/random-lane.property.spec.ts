import { expect } from 'chai';
import fc from 'fast-check';
import {
  abort,
  finish,
  hookEventSchema,
  type ModelChunk,
  modify,
  type ReasoningChunk,
  type SettledEvent,
} from 'hookline';
import { concat, concatMap, delay, EMPTY, finalize, from, of, tap, VirtualTimeScheduler } from 'rxjs';
import { createPipeline } from '../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../lib/pipeline/define/define-hook.ts';
import type { Handler } from '../../lib/pipeline/define/hook.ts';
import { hear, request } from './scene.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 300_000 : 1_200;

/** The action of a handler on one chunk. */
const deeds = [
  ...['pass', 'change', 'note', 'drop', 'split', 'late', 'late many', 'late change', 'finish', 'late finish', 'abort'],
  ...['throw', 'write', 'delete'],
] as const;
type Deed = (typeof deeds)[number];

const item = fc.record({
  kind: fc.constantFrom('text', 'text', 'thinking', 'toolInput', 'blockEnd'),
  block: fc.option(fc.nat(3), { nil: undefined }),
  gap: fc.constantFrom(0, 0, 1, 3),
});
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Deed>('pass') },
  { weight: 3, arbitrary: fc.constantFrom(...deeds) },
);
const plan = fc.record({
  items: fc.array(item, { maxLength: 10 }),
  hooks: fc.array(fc.array(deed, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never;

describe('random streams through random handlers', () => {
  it(`end in order, with the same text for client and transcript, ${RUNS} times`, function () {
    this.timeout(0);
    const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2_147_483_647);
    console.log(`      seed ${seed} (HOOKLINE_SEED=${seed} runs the same again)`);
    const done = new Set<string>();
    fc.assert(
      fc.property(plan, (one) => play(one, (what) => void done.add(what))),
      { numRuns: RUNS, seed },
    );
    const missed = [...deeds, 'finish on a last chunk', 'later items are cut off', 'ran to its end'].filter(
      (one) => !done.has(one),
    );
    expect(missed, 'branches that no run has taken').to.deep.equal([]);
  });
});

function play({ items, hooks }: Plan, did: (what: string) => void): void {
  const scheduler = new VirtualTimeScheduler();
  /** The item being pushed, and the first one that must stay hidden because its text comes after a finish. */
  let pushing = -1;
  let within = false;
  let cutFrom = Number.POSITIVE_INFINITY;
  const finished = (chunk: ReasoningChunk): void => {
    // The last chunk of a block precedes the text of the item that ends the block.
    // A pending item may have another one.
    if (cutFrom === Number.POSITIVE_INFINITY) cutFrom = chunk.last && within ? pushing : pushing + 1;
    did(chunk.last ? 'finish on a last chunk' : 'finish');
  };
  const handlers = hooks.map((script, index) => {
    let nth = 0;
    const handle: Handler<'reasoningChunk'> = (chunk) => {
      const what = script[nth++ % script.length] as Deed;
      did(what);
      return answer(what, chunk, scheduler, finished);
    };
    return defineHook({ name: `h${index}`, onFailure: 'skip', on: { reasoningChunk: handle } });
  });
  const model$ = from(items.map((one, index) => ({ one, index }))).pipe(
    concatMap(({ one, index }) =>
      one.gap === 0 ? of({ one, index }) : of({ one, index }).pipe(delay(one.gap, scheduler)),
    ),
    tap(({ index }) => {
      pushing = index;
      within = true;
    }),
    concatMap(({ one, index }) =>
      from(toChunk(one, index)).pipe(
        finalize(() => {
          within = false;
        }),
      ),
    ),
  );
  const run = createPipeline(handlers, { scheduler }).start({ agent: 'a' });
  const heard = hear(run.reason(request, () => model$));
  scheduler.flush();
  expect(heard.completed, 'has ended').to.equal(true);
  expect(heard.events.map(({ seq }) => seq)).to.deep.equal(heard.events.map((_, place) => place));
  for (const event of heard.events) expect(hookEventSchema.safeParse(event).error).to.equal(undefined);
  checkChunks(heard.of('reasoningChunk'), cutFrom);
  if (cutFrom < items.length) did('later items are cut off');
  const post = heard.of('postReasoning')[0];
  if (!post) return;
  did('ran to its end');
  const chunks = heard.of('reasoningChunk');
  for (const part of ['text', 'thinking'] as const) {
    const kept = post.message.parts.map((one) => (one.type === part ? one.text : '')).join('');
    const blocks = [...new Set(chunks.map(({ block }) => block))].sort((a, b) => a - b);
    const shown = blocks.map((block) =>
      chunks
        .filter((one) => one.block === block && one.part === part)
        .map(({ delta }) => delta)
        .join(''),
    );
    expect(kept).to.equal(shown.join(''));
  }
  for (const block of new Set(chunks.map((one) => one.block)))
    expect(
      chunks.filter((one) => one.block === block && one.last),
      `ends of block ${block}`,
    ).to.have.length(1);
}

function checkChunks(chunks: readonly SettledEvent<ReasoningChunk>[], cutFrom: number): void {
  const ended = new Set<number>();
  for (const { block, last, delta } of chunks) {
    expect(ended.has(block), `something behind the end of block ${block}`).to.equal(false);
    if (last) ended.add(block);
    for (const [, index] of delta.matchAll(/<(\d+)>/g))
      expect(Number(index), 'shown behind a finish').to.be.lessThan(cutFrom);
  }
}

function toChunk({ kind, block }: Plan['items'][number], index: number): ModelChunk[] {
  const at = block === undefined ? {} : { block };
  if (kind === 'blockEnd') return block === undefined ? [] : [{ type: 'blockEnd', block }];
  if (kind === 'toolInput') return [{ type: 'toolInput', toolCallId: `c${index % 3}`, delta: `<${index}>`, ...at }];
  return [{ type: kind as 'text' | 'thinking', delta: `<${index}>`, ...at }];
}

function answer(
  what: Deed,
  chunk: ReasoningChunk,
  scheduler: VirtualTimeScheduler,
  finished: (chunk: ReasoningChunk) => void,
): never {
  const later = <T>(value: T, ms = 2) => of(value).pipe(delay(ms, scheduler));
  const changed = (): ReasoningChunk => modify(chunk, { delta: `${chunk.delta}.` });
  const answers: Record<Deed, () => unknown> = {
    pass: () => undefined,
    change: changed,
    note: () => modify(chunk, {}, { note: { code: 'n', message: 'm' } }),
    drop: () => EMPTY,
    split: () => [chunk, { ...chunk, delta: ',' }],
    late: () => later(chunk),
    'late many': () => concat(later(chunk, 1), later({ ...chunk, delta: ';' })),
    'late change': () => later(changed(), 5),
    finish() {
      finished(chunk);
      return finish(chunk);
    },
    'late finish': () =>
      of(0).pipe(
        delay(4, scheduler),
        concatMap(() => {
          finished(chunk);
          return of(finish(chunk));
        }),
      ),
    abort: () => abort(chunk, 'enough'),
    throw() {
      throw new Error('down');
    },
    // Both throw because a chunk is frozen.
    write: () => void Object.assign(chunk, { last: !chunk.last, delta: 'w' }),
    delete() {
      for (const key of Object.keys(chunk)) delete (chunk as unknown as Record<string, unknown>)[key];
    },
  };
  return answers[what]() as never;
}
