import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { compileRule } from '../../../lib/redaction/compile/compile-rule.ts';
import { compileRules } from '../../../lib/redaction/compile/compile-rules.ts';
import { packRules } from '../../../lib/redaction/compile/tables/pack-rules.ts';
import { unpackRules } from '../../../lib/redaction/compile/tables/unpack-rules.ts';
import { ownRules } from '../../../lib/redaction/rules/own-rules.ts';
import { root } from '../../cli/hookline.ts';
import { tempFolder } from '../../temp-folder.ts';

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

  it('reads them from a file of the package, which a bundle can do without', () => {
    const at = tempFolder('package');
    symlinkSync(join(root, 'node_modules'), join(at, 'node_modules'));
    cpSync(join(root, 'dist'), join(at, 'dist'), { recursive: true, filter: (file) => !file.endsWith('.d.ts') });
    const script = `const { readFileSync } = require('node:fs');
      let read = 0;
      require('node:fs').readFileSync = (...args) => { read += String(args[0]).endsWith('own-rules.br'); return readFileSync(...args); };
      const { createRedactor } = require('./dist/redaction/index.js');
      const { text } = createRedactor().redact('ghp_0123456789abcdefghijABCDEFGHIJ012345');
      console.log(JSON.stringify([text, read]));`;
    const run = (): unknown =>
      JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: at, encoding: 'utf8' }));
    expect(run()).to.deep.equal(['[REDACTED:github-pat]', 1]);
    rmSync(join(at, 'dist/own-rules.br'));
    expect(run()).to.deep.equal(['[REDACTED:github-pat]', 1]);
  });
});
