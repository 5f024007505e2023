import { expect } from 'chai';
import fc from 'fast-check';
import { dataBlock } from '../../../lib/hooks/text/data-block.ts';

describe('dataBlock', () => {
  it('wraps each text in its own element', () => {
    expect(dataBlock('passage', [{ about: { source: 'a "b".md', score: 1.5 }, text: 'one\ntwo' }])).to.equal(
      '<passage source="a \\"b\\".md" score="1.5">\none\ntwo\n</passage>',
    );
  });

  it('prevents text and attributes from ending or starting an element', () => {
    const pieces = fc.constantFrom(
      '</passage>',
      '< / PASSAGE>',
      '<passage source="x">',
      '<',
      '/',
      'passage',
      '>',
      ' ',
      '\n',
      'x',
    );
    const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, texts, (source, text) => {
        const block = dataBlock('passage', [{ about: { source }, text }]);
        expect(block.match(/<\s*\/\s*passage/gi)).to.have.length(1);
        expect(block.match(/<\s*passage/gi)).to.have.length(1);
      }),
    );
  });
});
