import { expect } from 'chai';
import { literalPrefixes } from '../../lib/redaction/pattern/literal-prefixes.ts';
import { parsePattern } from '../../lib/redaction/pattern/parse/parse-pattern.ts';

const prefixes = (pattern: RegExp) => literalPrefixes(parsePattern(pattern).tree);

describe('literalPrefixes', () => {
  it('a part that is left out in one way and too wide to be spelled in another ends the prefix', () => {
    expect(prefixes(/private[_-]?ai/)).to.deep.equal(['private']);
    expect(prefixes(/(?:^|[^0-9])13/)).to.deep.equal(['']);
    expect(prefixes(/tok(?:en|[^=]+)?=/)).to.deep.equal(['tok']);
  });

  it('a part that can be spelled does not', () => {
    expect(prefixes(/tok(?:en)?=/)).to.have.members(['tok=', 'token=']);
  });
});
