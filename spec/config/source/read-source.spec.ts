import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ConfigIssue } from '../../../lib/config/issues/config-issue.ts';
import { readSource } from '../../../lib/config/source/read-source.ts';
import { tempFolder } from '../../temp-folder.ts';

describe('The parse of a configuration file', () => {
  const file = join(tempFolder('source'), 'hookline.yaml');
  const issues: ConfigIssue[] = [];
  const read = () => readSource(file, issues);

  it('is kept until the text of the file changes', () => {
    writeFileSync(file, 'hooks: { a: { type: timing } }\n');
    const { placeOf } = read();
    expect(read().placeOf).to.equal(placeOf);
    writeFileSync(file, 'hooks: { b: { type: timing } }\n');
    expect(read().value).to.deep.equal({ hooks: { b: { type: 'timing' } } });
    expect(read().placeOf).not.to.equal(placeOf);
  });

  it('is kept for the latest eight files', () => {
    const files = Array.from({ length: 9 }, (_, nth) => `${file}-${nth}`);
    for (const one of files) writeFileSync(one, '{}');
    const [first, ...later] = files.map((one) => readSource(one, issues).placeOf);
    expect(files.slice(1).map((one) => readSource(one, issues).placeOf)).to.deep.equal(later);
    expect(readSource(files[0] ?? '', issues).placeOf).not.to.equal(first);
  });

  it('gives each reader objects of its own', () => {
    writeFileSync(file, 'hooks: { a: { type: timing } }\n');
    const text = JSON.stringify(read().value);
    const { hooks } = read().value as { hooks: Record<string, unknown> };
    hooks['more'] = {};
    expect(JSON.stringify(read().value)).to.equal(text);
  });

  it('is not kept if the file is long', () => {
    writeFileSync(file, `hooks: {} # ${'x'.repeat(100_000)}`);
    expect(read().placeOf).not.to.equal(read().placeOf);
  });

  it('reports any number of issues', () => {
    const many = `{${'"a":1,'.repeat(200_000)}"b":2}`;
    writeFileSync(file, many);
    read();
    expect(issues.splice(0).length).to.be.greaterThan(100_000);
  });

  it('reports its issues to each reader', () => {
    writeFileSync(file, 'hooks: { a: { type: timing }, a: 1 }\n');
    read();
    const [issue, ...more] = issues.splice(0);
    read();
    expect(issue).not.to.equal(undefined);
    expect(issues).to.deep.equal([issue, ...more]);
  });
});
