import { expect } from 'chai';
import fc from 'fast-check';
import { LONGEST_PIECE, splitText } from '../../../lib/hooks/rag/split-text.ts';

const long = (word: string) => `${word} `.repeat(50).trim();

describe('splitText', () => {
  it('leaves a short text whole', () =>
    expect(splitText('one\ntwo\n', false)).to.deep.equal([{ text: 'one\ntwo\n', lines: [1, 3], title: '' }]));

  it('splits at Markdown headings and lists the headings of each piece', () => {
    const text = [
      '# Guide',
      long('a'),
      long('b'),
      long('c'),
      '## Ports ##',
      long('d'),
      long('e'),
      long('f'),
      '# Other',
      'end',
    ];
    expect(splitText(text.join('\n'), true).map(({ lines, title }) => [lines, title])).to.deep.equal([
      [[1, 4], 'Guide'],
      [[5, 8], 'Guide > Ports'],
      [[9, 10], 'Other'],
    ]);
    expect(splitText(text.join('\n'), false)).to.have.length(1);
  });

  it('keeps short sections together under their first heading', () => {
    const text = ['', '# Travel', '', '## Trains', 'Second class.', '## Expenses', 'Thirty days.'].join('\n');
    expect(splitText(text, true)).to.deep.equal([{ text, lines: [1, 7], title: 'Travel' }]);
  });

  it('reads a line of any length in one pass, and too long ones as text', () => {
    const spaces = `# a${' '.repeat(1_000_000)}b`;
    expect(new Set(splitText(`# Guide\n${spaces}`, true).map(({ title }) => title))).to.deep.equal(new Set(['Guide']));
    const many = Array.from({ length: 400 }, () => `# a${' '.repeat(1_400)}b`).join('\n');
    expect(splitText(many, true)).to.have.length(400);
  });

  it('does not treat a comment in a code block as a heading', () => {
    const text = ['# Guide', '```', '# no heading', '```', 'x'.repeat(250), '## Next', 'y'];
    expect(splitText(text.join('\n'), true).map(({ title }) => title)).to.deep.equal(['Guide', 'Guide > Next']);
  });

  it('splits a long text at empty lines', () => {
    const paragraph = `${long('word')}\n${long('word')}\n${long('word')}`;
    const pieces = splitText([paragraph, '', paragraph, '', paragraph].join('\n'), false);
    expect(pieces.map(({ lines }) => lines)).to.deep.equal([
      [1, 4],
      [5, 8],
      [9, 11],
    ]);
  });

  it('keeps every line with text, in order, in pieces of limited length', () => {
    const line = fc.oneof(
      fc.constant(''),
      fc.constantFrom('# One', '## Two', '```', 'x'.repeat(700)),
      fc.string({ maxLength: 80 }).map((text) => text.replace(/[\r\n]/g, ' ')),
      fc.string({ unit: 'grapheme', minLength: 1_000, maxLength: 4_000 }).map((text) => text.replace(/[\r\n]/g, ' ')),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.boolean(), (lines, markdown) => {
        const pieces = splitText(lines.join('\n'), markdown);
        for (const piece of pieces) {
          expect(piece.text.length).to.be.at.most(LONGEST_PIECE + 1);
          expect(piece.text).to.not.match(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/);
          const [first, last] = piece.lines;
          const there = lines.slice(first - 1, last).join('\n');
          if (first !== last) expect(piece.text).to.equal(there);
          else expect(there).to.contain(piece.text);
        }
        const said = (texts: readonly string[]) => texts.join('').replace(/\s/g, '');
        expect(said(pieces.map(({ text }) => text))).to.equal(said(lines));
      }),
      { numRuns: 50 },
    );
  });
});
