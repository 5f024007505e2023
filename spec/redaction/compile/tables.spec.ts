import { expect } from 'chai';
import { compileRule } from '../../../lib/redaction/compile/compile-rule.ts';
import { compileRules } from '../../../lib/redaction/compile/compile-rules.ts';
import { packRules } from '../../../lib/redaction/compile/tables/pack-rules.ts';
import { unpackRules } from '../../../lib/redaction/compile/tables/unpack-rules.ts';
import { ownRules } from '../../../lib/redaction/rules/own-rules.ts';

describe('the tables of compiled rules', () => {
  it('restores every built-in rule as it was compiled', () => {
    const { compiled } = compileRules(ownRules);
    const unpacked = unpackRules(packRules(compiled), ownRules);
    expect(unpacked.length).to.equal(ownRules.length);
    unpacked.forEach((rule, place) => void expect(rule, rule.label).to.deep.equal(compiled[place]));
  });

  it('works at any place in a buffer', () => {
    const { compiled } = compileRules(ownRules.slice(0, 20));
    const bytes = packRules(compiled);
    for (const place of [1, 2, 7]) {
      const larger = new Uint8Array(bytes.length + place);
      larger.set(bytes, place);
      expect(unpackRules(larger.subarray(place), ownRules)).to.deep.equal(compiled);
    }
  });

  it('shares equal sets and programs', () => {
    const { compiled } = compileRules(ownRules);
    const unpacked = unpackRules(packRules(compiled), ownRules);
    const sets = unpacked.flatMap(({ program }) => program.sets);
    expect(new Set(sets).size).to.equal(new Set(sets.map((set) => set.join())).size);
    const programs = (rules: typeof unpacked) => new Set(rules.flatMap(({ allow }) => allow.map((one) => one.program)));
    expect(programs(unpacked).size).to.equal(programs(compiled).size);
  });

  it('has each set once per program', () => {
    for (const { program, label } of compileRules(ownRules).compiled) {
      expect(new Set(program.sets.map((set) => set.join())).size, label).to.equal(program.sets.length);
    }
  });

  it('rejects values that exceed 16 bits', () => {
    const long = compileRule({ id: 'long', pattern: /ab[0-9]{4}/ });
    const wide = { ...long, program: { ...long.program, arg: long.program.arg.map((arg) => arg + 40_000) } };
    expect(() => packRules([wide])).to.throw(RangeError, 'more than 16 bits');
  });
});
