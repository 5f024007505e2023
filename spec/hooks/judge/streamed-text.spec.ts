import { expect } from 'chai';
import fc from 'fast-check';
import { streamedText } from '../../../lib/hooks/judge/streamed-text.ts';

const part = fc.string({ unit: fc.constantFrom('a', 'b', '\ud83d', '\ude00'), maxLength: 4 });

describe('streamedText', () => {
  it('tracks input and output text, wherever the parts are cut', () => {
    const ways = { same: 0, other: 0 };
    fc.assert(
      fc.property(fc.array(fc.tuple(part, fc.option(part)), { maxLength: 8 }), part, (parts, more) => {
        const stream = streamedText();
        for (const [came, went] of parts) stream.add(came, went ?? came);
        const came = parts.map(([one]) => one).join('');
        const went = parts.map(([one, other]) => other ?? one).join('');
        expect(stream.isWhatWent(went)).to.equal(true);
        expect(stream.wentFor(came)).to.equal(went);
        for (const text of [more, came + more, `${more}${went}`]) {
          expect(stream.isWhatWent(text)).to.equal(text === went);
          expect(stream.wentFor(text)).to.equal(text === came ? went : undefined);
        }
        ways[came === went ? 'same' : 'other'] += 1;
      }),
      { numRuns: 500 },
    );
    expect(Object.values(ways).every((count) => count > 20)).to.equal(true);
  });
});
