import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';
import { tempFolder } from '../../temp-folder.ts';
import { measureFolder } from './measure-folder.ts';
import { genuine, packagesByKind } from './packages.ts';

/** Email addresses in packages are genuine, mostly of authors. */
const redactor = createRedactor(rulesNamed().filter(({ id }) => id !== 'email'));
const MEGABYTE = 1_000_000;
const MOST_OF_PACKAGE = (process.env['HOOKLINE_SOAK'] ? 2 : 1) * MEGABYTE;
/** False findings of `format` and `assigned` together, per megabyte of text. */
const MOST_FALSE = 0.5;
const sure = (found: ReadonlyMap<string, readonly string[]>) =>
  ['format', 'assigned'].flatMap((one) => found.get(one) ?? []);

describe('the number of false positives', () => {
  it(`is at most ${MOST_FALSE} per MB in this repository's packages, without broken JSON or links`, () => {
    const modules = join(__dirname, '../../../node_modules');
    const names = [
      'rxjs',
      'hono',
      'rollup',
      'mocha',
      'ai',
      'commander',
      'fast-check',
      'playwright-core',
      'yaml',
      'preact',
      '@types/node',
    ];
    let bytes = 0;
    const found: string[] = [];
    for (const name of names) {
      const measured = measureFolder(join(modules, name), redactor, MOST_OF_PACKAGE);
      expect(measured.broken).to.deep.equal([]);
      bytes += measured.bytes;
      found.push(...sure(measured.found).map((finding) => `${name}: ${finding}`));
    }
    console.log(`      ${found.length} in ${(bytes / MEGABYTE).toFixed(1)} MB`);
    expect(bytes).to.be.greaterThan(8 * MEGABYTE);
    expect(found.length, found.join('\n')).to.be.at.most((MOST_FALSE * bytes) / MEGABYTE);
  });

  // A hundred megabytes of the registry, through the installed npm client.
  (process.env['HOOKLINE_SOAK'] ? it : it.skip)(
    `is at most ${MOST_FALSE} per MB in 100 MB of packages, without broken JSON or links`,
    function () {
      this.timeout(0);
      const home = tempFolder('packages');
      const totals = { bytes: 0, sure: 0, guessed: 0 };
      const wrong: string[] = [];
      const broken: string[] = [];
      for (const [kind, names] of Object.entries(packagesByKind)) {
        const before = totals.bytes;
        for (const name of names) {
          const folder = unpacked(name, home);
          const measured = measureFolder(folder, redactor, 4 * MEGABYTE);
          totals.bytes += measured.bytes;
          totals.guessed += measured.found.get('guessed')?.length ?? 0;
          const findings = sure(measured.found);
          totals.sure += findings.length;
          wrong.push(
            ...findings.filter((finding) => !isGenuine(finding, name)).map((finding) => `${name}: ${finding}`),
          );
          broken.push(...measured.broken.map((file) => `${name}: ${file}`));
        }
        expect(totals.bytes, kind).to.be.greaterThan(before);
      }
      const megabytes = totals.bytes / MEGABYTE;
      const perMegabyte = (count: number) => (count / megabytes).toFixed(3);
      console.log(
        `      ${megabytes.toFixed(0)} MB: ${wrong.length} false of ${totals.sure} (${perMegabyte(wrong.length)} per MB), ${perMegabyte(totals.guessed)} guessed per MB\n${wrong.join('\n')}`,
      );
      expect(Object.keys(packagesByKind)).to.have.length.of.at.least(20);
      expect(megabytes).to.be.greaterThan(100);
      expect(broken).to.deep.equal([]);
      expect(wrong.length / megabytes).to.be.at.most(MOST_FALSE);
    },
  );
});

function isGenuine(finding: string, name: string): boolean {
  return Object.entries(genuine).some(
    ([rule, packages]) => finding.startsWith(rule) && packages.some((one) => name.startsWith(`${one}@`)),
  );
}

/** Returns the folder of a package, fetched by the npm client and unpacked. */
function unpacked(name: string, home: string): string {
  const folder = join(home, name.replaceAll(/[^\w.-]/g, '-'));
  mkdirSync(folder);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', name], { cwd: folder, stdio: 'pipe' });
  const [archive] = readdirSync(folder);
  execFileSync('tar', ['xzf', archive as string], { cwd: folder });
  return folder;
}
