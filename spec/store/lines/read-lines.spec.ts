import { closeSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { endOfLines } from '../../../lib/store/lines/end-of-lines.ts';
import { jsonLine, parseLine } from '../../../lib/store/lines/json-line.ts';
import { createLineCutter, type Line } from '../../../lib/store/lines/line-cutter.ts';
import { readLines, streamLines } from '../../../lib/store/lines/read-lines.ts';
import { tempFolder } from '../../temp-folder.ts';

const told = ({ bytes, number, start, end, whole }: Line) => [bytes.toString(), number, start, end, whole];

/** What the lines of these bytes are, with all of them at hand. */
function expected(bytes: Buffer): unknown[] {
  const texts = bytes.toString().split('\n');
  let start = 0;
  return texts.flatMap((text, index) => {
    const whole = index < texts.length - 1;
    if (!whole && text === '') return [];
    const end = start + Buffer.byteLength(text) + (whole ? 1 : 0);
    const line = [text, index + 1, start, end, whole];
    start = end;
    return [line];
  });
}

describe('the lines of a file', () => {
  let file: string;
  beforeEach(() => {
    file = join(tempFolder('lines'), 'file.jsonl');
  });

  it('are the same wherever the pieces are cut, also within a character', () => {
    const reached = { cutLine: 0, withinCharacter: 0, empty: 0 };
    const text = fc.array(fc.constantFrom('a', '\n', 'ä', '\u2028', '😀', '\r', ''), { maxLength: 40 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(9)), (letters, cuts) => {
        const bytes = Buffer.from(letters.join(''));
        const cutter = createLineCutter();
        const lines: Line[] = [];
        let at = 0;
        for (const length of [...cuts, bytes.length]) {
          const piece = bytes.subarray(at, at + length);
          if ((piece[0] ?? 0) >> 6 === 2) reached.withinCharacter += 1;
          if (piece.length === 0) reached.empty += 1;
          lines.push(...cutter.cut(piece));
          at += length;
        }
        const rest = cutter.rest();
        if (rest) reached.cutLine += 1;
        expect([...lines, ...(rest ? [rest] : [])].map(told)).to.deep.equal(expected(bytes));
        expect(cutter.rest()).to.equal(undefined);
      }),
    );
    for (const [branch, times] of Object.entries(reached)) expect(times, branch).to.be.greaterThan(5);
  });

  it('are read from a file of any size, at once or as a stream', async () => {
    for (const length of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
      const bytes = Buffer.from(`${'x'.repeat(length)}\n\n${jsonLine({ a: 'ü'.repeat(length) })}{"cut`);
      writeFileSync(file, bytes);
      expect([...readLines(file)].map(told), `${length}`).to.deep.equal(expected(bytes));
      const streamed: Line[] = [];
      for await (const line of streamLines(file)) streamed.push(line);
      expect(streamed.map(told), `${length}`).to.deep.equal(expected(bytes));
    }
  });

  it('stay as they were while later ones are read', () => {
    writeFileSync(
      file,
      Array.from({ length: 9_000 }, (_, index) => jsonLine({ index, text: 'word '.repeat(9) })).join(''),
    );
    const kept = [...readLines(file)].map((line) => (parseLine(line, () => ({})) as { index: number }).index);
    expect(kept).to.deep.equal(Array.from({ length: 9_000 }, (_, index) => index));
  });

  it('may be too long, which is told with the number of the line', () => {
    writeFileSync(file, `${'x'.repeat(10)}\n${'x'.repeat(11)}\n`);
    expect([...readLines(file, 11)]).to.have.length(2);
    expect(() => [...readLines(file, 10)]).to.throw('line 2 is longer than 10 bytes');
    expect(() => createLineCutter(1_048_576).cut(Buffer.alloc(1_048_577))).to.throw('line 1 is longer than 1 MiB');
  });

  it('leave no open file behind when reading stops early', () => {
    writeFileSync(file, 'one\ntwo\n');
    const nextDescriptor = () => {
      const fd = openSync(file, 'r');
      closeSync(fd);
      return fd;
    };
    const before = nextDescriptor();
    for (const _ of readLines(file)) break;
    expect(nextDescriptor()).to.equal(before);
  });

  it('are JSON or are told with their cause', () => {
    expect(parseLine({ bytes: Buffer.from('{"a":1}\r') }, String)).to.deep.equal({ a: 1 });
    expect(parseLine({ bytes: Buffer.from('{"a"') }, (cause) => (cause as Error).name)).to.equal('SyntaxError');
  });

  it('end whole, cut or empty; a file that cannot be read is none of them', () => {
    expect(endOfLines(file)).to.equal('empty');
    for (const [text, end] of [
      ['', 'empty'],
      ['a\n', 'whole'],
      ['a\nb', 'cut'],
    ] as const) {
      writeFileSync(file, text);
      expect(endOfLines(file)).to.equal(end);
    }
    const loop = join(file, '..', 'loop');
    symlinkSync(loop, loop);
    expect(() => endOfLines(loop)).to.throw('ELOOP');
  });
});
