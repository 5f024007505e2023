import { expect } from 'chai';
import { compileRules } from '../../lib/redaction/compile/compile-rules.ts';
import { rulesNamed } from '../../lib/redaction/rules/rules-named.ts';

describe('compiled rules', () => {
  it('are shared by all redactors where they are our own, and made anew where they are of others', () => {
    const [own] = rulesNamed();
    const rules = [own!, { id: 'mine', literal: 'correct-horse' }];
    const [first, second] = [compileRules(rules).compiled, compileRules(rules).compiled];
    expect(first[0]).to.equal(second[0]).and.property('rule').equal(own);
    expect(first[1]).not.to.equal(second[1]);
  });
});
