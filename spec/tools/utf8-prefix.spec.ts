import { expect } from 'chai';
import { utf8Prefix } from '../../lib/tools/utf8-prefix.ts';

describe('utf8Prefix', () => {
  it('never cuts a character and never returns less than it must', () => {
    const bytes = Buffer.from('aé€👩b');
    const lengths = Array.from({ length: bytes.length + 2 }, (_, max) => utf8Prefix(bytes, max).length);
    expect(lengths).to.deep.equal([0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11]);
  });
});
