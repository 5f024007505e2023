import { expect } from 'chai';
import { compileRule } from '../../lib/redaction/compile/compile-rule.ts';
import { compileRules } from '../../lib/redaction/compile/compile-rules.ts';
import { ownRules } from '../../lib/redaction/rules/own-rules.ts';
import { rulesNamed } from '../../lib/redaction/rules/rules-named.ts';

describe('compiled rules', () => {
  // A redactor does not look at this again, for it takes a third of the time.
  it('of our own would be taken if they were of others', () => {
    for (const rule of ownRules) expect(() => compileRule(rule), rule.id).not.to.throw();
  });

  it('are shared by all redactors where they are our own, and made anew where they are of others', () => {
    const [own] = rulesNamed();
    const rules = [own!, { id: 'mine', literal: 'correct-horse' }];
    const [first, second] = [compileRules(rules).compiled, compileRules(rules).compiled];
    expect(first[0]).to.equal(second[0]).and.property('rule').equal(own);
    expect(first[1]).not.to.equal(second[1]);
  });
});
