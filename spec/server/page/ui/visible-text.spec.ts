import { expect } from 'chai';
import fc from 'fast-check';
import { piecesOf, visibleJson, visibleText } from '../../../../lib/server/page/ui/visible-text.ts';

/** Direction marks, zero-width characters, controls, tags, a lone half of a pair. */
const MISLEADING = [
  0x202e, 0x202a, 0x2066, 0x2069, 0x200e, 0x200f, 0x061c, 0x200b, 0x200c, 0xfeff, 0x2028, 0x00ad, 0x2060, 0x180e,
];
const CONTROLS = [0, 7, 8, 0x0b, 0x0d, 0x1b, 0x7f, 0x85, 0x9f];
const OTHERS = [
  0xe0041, 0xfffb, 0x3164, 0x115f, 0xd800, 0xdfff, 0x034f, 0x2800, 0x180b, 0x180f, 0xfe00, 0xfe0f, 0x1d173, 0x1d17a,
];
const all = [...MISLEADING, ...CONTROLS, ...OTHERS];

describe('a displayed text', () => {
  it('shows every misleading character by name', () => {
    for (const point of all) {
      const name = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
      expect(visibleText(`a${String.fromCodePoint(point)}b`), name).to.equal(`a${name}b`);
    }
  });

  it('keeps ordinary text unchanged', () => {
    for (const text of [
      'plain',
      'two\nlines\tand a tab',
      'naïve café',
      '日本語',
      'עברית',
      'العربية',
      'हिन्दी',
      '👩‍💻 👨‍👩‍👧 ❤️ 🏳️‍🌈 1️⃣ ☎︎',
      '«»—…€',
    ])
      expect(visibleText(text), text).to.equal(text);
  });

  it('names a joiner that joins no pictures', () => expect(visibleText('a\u200db')).to.equal('aU+200Db'));

  it('keeps the rest, in order', () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...all.map((point) => String.fromCodePoint(point))), fc.string()));
    fc.assert(
      fc.property(text, (parts) => {
        const whole = parts.join('|');
        const pieces = piecesOf(whole);
        expect(pieces.map((piece) => piece.text).join('')).to.equal(visibleText(whole));
        for (const { text: shown, hidden } of pieces) if (!hidden) expect(visibleText(shown)).to.equal(shown);
      }),
    );
  });

  it('has the same value as editable JSON, without misleading characters', () => {
    const values = fc.dictionary(
      fc.string(),
      fc.constantFrom(...all.map((point) => `x${String.fromCodePoint(point)}`)),
    );
    fc.assert(
      fc.property(values, (value) => {
        const written = visibleJson(value);
        expect(JSON.parse(written)).to.deep.equal(value);
        expect(visibleText(written)).to.equal(written);
      }),
    );
  });
});
