import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor } from '../../lib/redaction/create-redactor.ts';
import { createSecretMemory } from '../../lib/redaction/memory/secret-memory.ts';
import type { SecretMemory } from '../../lib/redaction/redactor.ts';
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

  it('shares the tables of the default rules, which take megabytes', () => {
    const redactor = () => createRedactor(undefined, { mode: 'mask' });
    redactor().redact('hello');
    const before = process.memoryUsage().arrayBuffers;
    for (let nth = 0; nth < 3; nth++) redactor().redact('hello');
    expect(process.memoryUsage().arrayBuffers - before).to.be.lessThan(1_000_000);
  });

  it('keeps its rules if the list changes later', () => {
    const rules = [...rulesNamed()];
    const redactor = createRedactor(rules);
    rules.length = 0;
    expect(redactor.redact(`mail ${['ann', 'example.com'].join('@')}`).findings).to.have.length(1);
  });

  it('answers for a repeated text as a new redactor does, whatever became known in between', () => {
    const make = () => createRedactor([{ id: 'token', pattern: 'tok_[a-z]{12}' }]);
    const text = fc.constantFrom(
      'abcdefghijkl',
      'tok_abcdefghijkl',
      'x tok_klmnopqrstuv',
      'klmnopqrstuv tok_abc',
      '',
      'find',
    );
    const step = fc.record({ text, run: fc.constantFrom(undefined, 0, 1), leaves: fc.boolean(), learns: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const redactor = make();
        const memories = () => [createSecretMemory(), createSecretMemory()] as const;
        const [own, other] = [memories(), memories()];
        for (const { text, run, leaves, learns } of steps) {
          const how = (known: readonly SecretMemory[]) => {
            const memory = run === undefined ? undefined : known[run];
            if (learns) memory?.add('klmnopqrstuv', 'token');
            return { ...(leaves && { leave: ['format'] as const }), ...(memory && { memory }) };
          };
          expect(redactor.redact(text, how(own))).to.deep.equal(make().redact(text, how(other)));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('remembers a bounded number of short texts', () => {
    const redactor = createRedactor();
    const texts = Array.from({ length: 3_000 }, (_, at) => `text ${at}`);
    for (const text of [...texts, ...texts]) expect(redactor.redact(text)).to.deep.equal({ text, findings: [] });
  });
});
