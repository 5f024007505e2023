import { expect } from 'chai';
import { createRedactor } from '../../../lib/redaction/index.ts';

const redactor = createRedactor([{ id: 'member', pattern: /%d: (\w{10})/, keywords: ['"kty'] }]);
const member = `%25d: ${'abcde'.repeat(2)}`;

describe('a keyword in an escape', () => {
  for (const [what, between] of [
    ['soon after it', ' '],
    ['after plain text', ` ${'x'.repeat(300)} `],
    ['after other escapes', ` ${'x%20'.repeat(300)} ${'x'.repeat(300)} `],
  ] as const)
    it(`enables its rule for later text, ${what}, in chunks of any size`, () => {
      const text = `%22kty%22${between}${member}`;
      const { text: shown } = redactor.redact(text);
      expect(shown).to.include('[REDACTED:member]').and.not.to.include('abcde');
      for (const size of [1, 3, 16, 77]) {
        const stream = redactor.stream();
        let chunks = '';
        for (let at = 0; at < text.length; at += size) chunks += stream.write(text.slice(at, at + size));
        expect(chunks + stream.end(), String(size)).to.equal(shown);
      }
    });

  it('does not enable its rule for text before it', () => {
    expect(redactor.redact(`${member} %22kty%22`).findings).to.deep.equal([]);
  });
});
