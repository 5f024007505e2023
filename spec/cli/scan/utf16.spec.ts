import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { readText } from '../../../lib/cli/terminal/read-text.ts';
import { encoded, type TextEncoding } from '../../../lib/cli/terminal/text-encoding.ts';

/** Splits bytes into pieces of a size. */
function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, size: number, keepMark = true) {
  const told: { encoding?: TextEncoding; invalid: number[] } = { invalid: [] };
  let text = '';
  for await (const part of readText(Readable.from(pieces(bytes, size)), {
    keepMark,
    onEncoding: (encoding) => void Object.assign(told, { encoding }),
    onInvalid: (offset) => void told.invalid.push(offset),
  }))
    text += part;
  return { text, ...told };
}

const wide = fc.constantFrom<TextEncoding>('utf-16le', 'utf-16be');

describe('hookline scan, UTF-16', () => {
  it('recognizes the byte order mark and writes text unchanged, in any pieces', () =>
    fc.assert(
      fc.asyncProperty(
        wide,
        // Any units, including unpaired halves. The first two are not zero, as those of UTF-32 would be.
        fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (encoding, units, size) => {
          const text = `\ufeff${String.fromCharCode(...units)}`;
          const bytes = encoded(text, encoding) as Buffer;
          const got = await read(bytes, size);
          expect(got).to.deep.equal({ text, encoding, invalid: [] });
          expect((encoded(got.text, encoding) as Buffer).equals(bytes)).to.equal(true);
          expect((await read(bytes, size, false)).text).to.equal(text.slice(1));
        },
      ),
    ));

  it('reports text that ends within a unit', async () => {
    const bytes = Buffer.concat([encoded('\ufeffab', 'utf-16le') as Buffer, Buffer.from('c')]);
    expect(await read(bytes, 2)).to.deep.equal({ text: '\ufeffab\ufffd', encoding: 'utf-16le', invalid: [6] });
  });

  it('treats text without a byte order mark as binary, like UTF-32', async () => {
    for (const bytes of [Buffer.from('ab', 'utf16le'), Buffer.from([0xff, 0xfe, 0, 0, 97, 0, 0, 0])]) {
      const thrown = await read(bytes, 1).catch((error: Error) => error.message);
      expect(thrown).to.equal('it is binary, not text');
    }
  });

  it('reads UTF-8 unchanged from its first byte', async () => {
    for (const text of ['', 'a', '\ufeffa', 'ä', 'text\n'])
      expect(await read(Buffer.from(text), 1)).to.deep.include({ text, invalid: [] });
  });
});
