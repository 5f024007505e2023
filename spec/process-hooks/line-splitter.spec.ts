import { expect } from 'chai';
import fc from 'fast-check';
import { createLineSplitter } from '../../lib/process-hooks/line-splitter.ts';

function split(bytes: Buffer, cuts: readonly number[], limit = 1_000): { lines: string[]; overlong: string[] } {
  const lines: string[] = [];
  const overlong: string[] = [];
  const splitter = createLineSplitter(
    limit,
    (line) => lines.push(line),
    (head) => overlong.push(head),
  );
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    splitter.write(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  splitter.write(bytes.subarray(from));
  splitter.end();
  return { lines, overlong };
}

describe('the line splitter', () => {
  it('returns the same lines, however the bytes arrive', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n]/g, ''))),
        fc.array(fc.nat(300)),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          expect(
            split(
              bytes,
              cuts.map((cut) => Math.min(cut, bytes.length)),
            ).lines,
          ).to.deep.equal(lines);
        },
      ),
    );
  });

  it('accepts Windows line ends, and a last line without a line end', () => {
    expect(split(Buffer.from('one\r\n\ntwo'), []).lines).to.deep.equal(['one', '', 'two']);
  });

  it('drops a line that is too long, and continues after it', () => {
    const bytes = Buffer.from(`before\n${'x'.repeat(5_000)}\nafter\n`);
    for (const step of [1, 7, 999, 5_010]) {
      const cuts = Array.from({ length: Math.floor(bytes.length / step) }, (_, index) => (index + 1) * step);
      const { lines, overlong } = split(bytes, cuts);
      expect(lines).to.deep.equal(['before', 'after']);
      expect(overlong).to.deep.equal(['x'.repeat(512)]);
    }
  });

  it('buffers nothing of an endless line', () => {
    const splitter = createLineSplitter(
      1_000,
      () => {},
      () => {},
    );
    const before = process.memoryUsage().rss;
    const piece = Buffer.alloc(1 << 20, 'x');
    for (let count = 0; count < 300; count++) splitter.write(piece);
    expect(process.memoryUsage().rss - before).to.be.below(100 * 2 ** 20);
  });
});
