import { expect } from 'chai';
import { compileRule } from '../../../lib/redaction/compile/compile-rule.ts';
import { compileRules } from '../../../lib/redaction/compile/compile-rules.ts';
import { packRules } from '../../../lib/redaction/compile/tables/pack-rules.ts';
import { unpackRules } from '../../../lib/redaction/compile/tables/unpack-rules.ts';
import { ownRules } from '../../../lib/redaction/rules/own-rules.ts';

describe('tables of compiled rules', () => {
  it('give back every own rule as it was compiled', () => {
    const { compiled } = compileRules(ownRules);
    const unpacked = unpackRules(packRules(compiled), ownRules);
    expect(unpacked.length).to.equal(ownRules.length);
    unpacked.forEach((rule, place) => void expect(rule, rule.label).to.deep.equal(compiled[place]));
  });

  it('may stand anywhere in a buffer', () => {
    const { compiled } = compileRules(ownRules.slice(0, 20));
    const bytes = packRules(compiled);
    for (const place of [1, 2, 7]) {
      const larger = new Uint8Array(bytes.length + place);
      larger.set(bytes, place);
      expect(unpackRules(larger.subarray(place), ownRules)).to.deep.equal(compiled);
    }
  });

  it('share the sets and programs that are equal', () => {
    const { compiled } = compileRules(ownRules);
    const unpacked = unpackRules(packRules(compiled), ownRules);
    const sets = unpacked.flatMap(({ program }) => program.sets);
    expect(new Set(sets).size).to.equal(new Set(sets.map((set) => set.join())).size);
    const programs = (rules: typeof unpacked) => new Set(rules.flatMap(({ allow }) => allow.map((one) => one.program)));
    expect(programs(unpacked).size).to.equal(programs(compiled).size);
  });

  it('have each set once in a program', () => {
    for (const { program, label } of compileRules(ownRules).compiled) {
      expect(new Set(program.sets.map((set) => set.join())).size, label).to.equal(program.sets.length);
    }
  });

  it('refuse what 16 bits cannot say', () => {
    const long = compileRule({ id: 'long', pattern: /ab[0-9]{4}/ });
    const wide = { ...long, program: { ...long.program, arg: long.program.arg.map((arg) => arg + 40_000) } };
    expect(() => packRules([wide])).to.throw(RangeError, 'more than 16 bits');
  });
});
