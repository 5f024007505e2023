import { expect } from 'chai';
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { createSinkQueue } from '../../../lib/hooks/streaming/sink-queue.ts';
import type { StreamPiece } from '../../../lib/hooks/streaming/stream-piece.ts';

const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 };
const pieceOf = (block: string, text: string): StreamPiece => ({
  run,
  iteration: 1,
  part: 'text',
  block,
  attempt: 1,
  text,
  last: false,
});
const step = fc.oneof(
  fc.record({
    block: fc.constantFrom('x', 'y'),
    text: fc.string({ minLength: 1, maxLength: 8 }),
    fails: fc.boolean(),
  }),
  fc.constant('done' as const),
);

describe('createSinkQueue', () => {
  for (const mode of ['incremental', 'cumulative'] as const)
    it(`sends all text of each block in order, or counts losses, at any speed (${mode})`, async () => {
      const ways = { lost: 0, joined: 0 };
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 5, max: 60 }), async (steps, room) => {
          const got: StreamPiece[] = [];
          const asked: StreamPiece[] = [];
          let failing = false;
          let under = new Subject<void>();
          const queue = createSinkQueue({
            sink: (piece) => {
              asked.push(piece);
              if (failing) throw new Error('full');
              got.push(piece);
              under = new Subject();
              return under;
            },
            mode,
            maxWaitingChars: room,
            failed: () => {},
          });
          const blocks = { x: { ...pieceOf('x', ''), said: '' }, y: { ...pieceOf('y', ''), said: '' } };
          let added = 0;
          function add(block: 'x' | 'y', text: string, last: boolean): void {
            blocks[block].said += text;
            added += 1;
            const shown = mode === 'cumulative' ? blocks[block].said : text;
            queue.add({ ...pieceOf(block, shown), last }, blocks[block]);
          }
          const isBusy = async () => {
            under.complete();
            await new Promise((resolve) => setImmediate(resolve));
            return queue.busy;
          };
          for (const one of steps) {
            if (one === 'done') await isBusy();
            else {
              failing = one.fails;
              add(one.block, one.text, false);
            }
          }
          failing = false;
          for (const block of ['x', 'y'] as const) add(block, '', true);
          while (queue.busy) await isBusy();
          let received = 0;
          for (const block of ['x', 'y'] as const) {
            const { said } = blocks[block];
            const mine = got.filter((piece) => piece.block === block).map(({ text }) => text);
            const text =
              mode === 'incremental' ? mine.join('') : mine.reduce((a, b) => (b.length > a.length ? b : a), '');
            received += text.length;
            if (queue.lost === 0) expect(text).to.equal(said);
            if (mode === 'cumulative') for (const one of mine) expect(said.startsWith(one)).to.equal(true);
          }
          expect(received + queue.lost).to.equal(blocks.x.said.length + blocks.y.said.length);
          // A block has one waiting piece, unless something between was lost.
          if (queue.lost > 0) ways.lost += 1;
          else if (asked.length < added) ways.joined += 1;
        }),
      );
      expect(Object.values(ways).every((count) => count > 0)).to.equal(true);
    });

  it('joins waiting text by block, also with alternating blocks', async () => {
    const got: string[] = [];
    const under = new Subject<void>();
    const [x, y] = [{}, {}];
    const queue = createSinkQueue({
      sink: ({ block, text, last }) => {
        got.push(`${block}: ${text}${last ? '|' : ''}`);
        return got.length === 1 ? under : undefined;
      },
      mode: 'incremental',
      maxWaitingChars: 100,
      failed: () => {},
    });
    for (const text of ['1', '2', '3', '4']) {
      queue.add(pieceOf('x', text), x);
      queue.add({ ...pieceOf('y', text), last: text === '4' }, y);
    }
    under.complete();
    await queue.drained();
    expect(got).to.deep.equal(['x: 1', 'y: 1234|', 'x: 234']);
  });
});
