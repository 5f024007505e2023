import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createRedactor } from '../../lib/redaction/create-redactor.ts';
import { rulesNamed } from '../../lib/redaction/rules/rules-named.ts';

const root = join(__dirname, '../..');
/** Of some hundred lines that resemble secrets. */
const BUDGET = 3;
const redactor = createRedactor(rulesNamed());

const findings = (text: string) =>
  redactor.redact(text).findings.map(({ rule, start, end }) => `${rule}: ${text.slice(start, end)}`);

describe('a text without secrets', () => {
  it(`has at most ${BUDGET} findings in lines of code, configuration, prose and logs`, () => {
    const lines = readFileSync(join(root, 'spec/fixtures/redaction/hard-negatives.txt'), 'utf8');
    const found = findings(lines);
    console.log(`      ${found.length} findings in ${lines.split('\n').length} lines, budget ${BUDGET}`);
    expect(found.length, found.join('\n')).to.be.at.most(BUDGET);
  });

  it(`has at most ${BUDGET} findings in the files of this repository`, () => {
    const lib = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' });
    const files = [
      ...lib.filter((file) => file.endsWith('.ts')).map((file) => `lib/${file}`),
      ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'package.json', 'package-lock.json'],
    ];
    const found = files.flatMap((file) =>
      findings(readFileSync(join(root, file), 'utf8')).map((finding) => `${file}: ${finding}`),
    );
    console.log(`      ${found.length} findings in ${files.length} files, budget ${BUDGET}`);
    expect(found.length, found.join('\n')).to.be.at.most(BUDGET);
  });

  it('scans the whole corpus: with a secret in each line, each line has a finding', () => {
    const value = 'Hq7vT2'.concat('mZ9');
    const corpus = readFileSync(join(root, 'spec/fixtures/redaction/hard-negatives.txt'), 'utf8').trim().split('\n');
    const lines = corpus.map((line) => `password = "${value}"; ${line}`);
    expect(lines.filter((line) => findings(line).length === 0)).to.deep.equal([]);
  });
});
