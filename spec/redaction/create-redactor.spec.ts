import { expect } from 'chai';
import { createRedactor } from '../../lib/redaction/create-redactor.ts';
import { rulesNamed } from '../../lib/redaction/rules/rules-named.ts';

describe('createRedactor', () => {
  it('uses the built-in rules by default', () => {
    const text = `mail ${['ann', 'example.com'].join('@')}, password: ${'Summer' + '2024' + 'Rain'}`;
    const { findings } = createRedactor().redact(text);
    expect(findings).to.have.length.above(1);
    expect(findings).to.deep.equal(createRedactor(rulesNamed()).redact(text).findings);
    expect(createRedactor([]).redact(text).findings).to.deep.equal([]);
  });

  it('reports issues at once, although built-in rules are compiled with the first text', () => {
    const [own] = rulesNamed();
    expect(() => createRedactor([own!, own!])).to.throw('another rule has the same ID');
    expect(() => createRedactor([own!, { id: 'mine', pattern: '(' }])).to.throw('mine: ');
    expect(() => createRedactor([own!], { known: [{ label: 'short', value: 'abc' }] })).to.throw('known[0] (short)');
  });

  it('keeps its rules if the list changes later', () => {
    const rules = [...rulesNamed()];
    const redactor = createRedactor(rules);
    rules.length = 0;
    expect(redactor.redact(`mail ${['ann', 'example.com'].join('@')}`).findings).to.have.length(1);
  });
});
