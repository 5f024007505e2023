import { expect } from 'chai';
import { compileRule } from '../../lib/redaction/compile/compile-rule.ts';
import { compileRules } from '../../lib/redaction/compile/compile-rules.ts';
import { ownRules } from '../../lib/redaction/rules/own-rules.ts';
import { rulesNamed } from '../../lib/redaction/rules/rules-named.ts';

describe('compileRules with built-in rules', () => {
  // A redactor skips this check, which takes a third of the time.
  it('accepts each built-in rule like a custom one', () => {
    for (const rule of ownRules) expect(() => compileRule(rule), rule.id).not.to.throw();
  });

  it('shares built-in rules among redactors and compiles custom ones each time', () => {
    const [own] = rulesNamed();
    const rules = [own!, { id: 'mine', literal: 'correct-horse' }];
    const [first, second] = [compileRules(rules).compiled, compileRules(rules).compiled];
    expect(first[0]).to.equal(second[0]).and.property('rule').equal(own);
    expect(first[1]).not.to.equal(second[1]);
  });
});
