import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { createRedactor } from '../../../lib/redaction/index.ts';
import { isBuilt } from '../../is-built.ts';

const entry = join(__dirname, '../../../dist/redaction/index.js');
const text = `password = ${'Hq7vT2'.concat('mZ9')}, token: ${'ghp_'.concat('a1B2c3D4e5'.repeat(4).slice(0, 36))}, mail me@host.org`;

/** Redacts a text with the built package, and measures milliseconds of processor time. */
function builtRedactor(before: string): { readonly shown: string; readonly ms: number } {
  const code = `${before}; const { createRedactor } = require(${JSON.stringify(entry)});
    const began = process.cpuUsage();
    const shown = createRedactor().redact(${JSON.stringify(text)}).text;
    const { user, system } = process.cpuUsage(began);
    console.log(JSON.stringify({ shown, ms: (user + system) / 1000 }));`;
  return JSON.parse(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' }));
}

describe('redactor of the built package', () => {
  before(function () {
    if (isBuilt()) return;
    console.log('    skipped: the package is not built (npm run build)');
    this.skip();
  });

  it('has compiled rules, and compiles them itself if it cannot decompress them', () => {
    const ready = builtRedactor('');
    const compiling = builtRedactor('process.getBuiltinModule = undefined');
    const { text: shown } = createRedactor().redact(text);
    expect(shown).to.include('[REDACTED:github-pat]');
    expect([ready.shown, compiling.shown]).to.deep.equal([shown, shown]);
    expect(ready.ms).to.be.lessThan(compiling.ms * 0.75);
  });
});
