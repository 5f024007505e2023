import { expect } from 'chai';
import { literalPrefixes } from '../../lib/redaction/pattern/literal-prefixes.ts';
import { parsePattern } from '../../lib/redaction/pattern/parse/parse-pattern.ts';

const prefixes = (pattern: RegExp) => literalPrefixes(parsePattern(pattern).tree);

describe('literalPrefixes', () => {
  it('ends a prefix at a part that one branch omits and another cannot enumerate', () => {
    expect(prefixes(/private[_-]?ai/)).to.deep.equal(['private']);
    expect(prefixes(/(?:^|[^0-9])13/)).to.deep.equal(['']);
    expect(prefixes(/tok(?:en|[^=]+)?=/)).to.deep.equal(['tok']);
  });

  it('continues a prefix after a part that can be enumerated', () => {
    expect(prefixes(/tok(?:en)?=/)).to.have.members(['tok=', 'token=']);
  });
});
