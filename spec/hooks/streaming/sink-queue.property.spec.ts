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
  fc.record({ block: fc.constantFrom('x', 'y'), text: fc.string({ minLength: 1, maxLength: 8 }) }),
  fc.constant('done' as const),
);

describe('createSinkQueue', () => {
  it('gives all text of each block in order, or says how much is lost, however slow the sink', async () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 5, max: 60 }), async (steps, room) => {
        const got: StreamPiece[] = [];
        let under = new Subject<void>();
        const queue = createSinkQueue({
          sink: (piece) => {
            got.push(piece);
            under = new Subject();
            return under;
          },
          mode: 'incremental',
          maxWaitingChars: room,
          failed: () => {},
        });
        let given = 0;
        for (const one of steps) {
          if (one === 'done') {
            under.complete();
            await Promise.resolve();
            continue;
          }
          given += one.text.length;
          queue.add(pieceOf(one.block, one.text));
        }
        while (queue.busy) {
          under.complete();
          await new Promise((resolve) => setImmediate(resolve));
        }
        const received = got.reduce((sum, { text }) => sum + text.length, 0);
        expect(received + queue.lost).to.equal(given);
        for (const block of ['x', 'y']) {
          const all = steps.flatMap((one) => (one !== 'done' && one.block === block ? [one.text] : [])).join('');
          const mine = got.filter((piece) => piece.block === block).map(({ text }) => text);
          if (queue.lost === 0) expect(mine.join('')).to.equal(all);
        }
      }),
    ));
});
