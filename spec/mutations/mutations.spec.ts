import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { mutations } from './mutations.ts';

const root = join(__dirname, '../..');

describe('the mutations of the core', () => {
  it('are at least forty, each of one place that is there once', () => {
    expect(mutations).to.have.length.of.at.least(40);
    const places = mutations.map(({ file, from }) => `${file}: ${from}`);
    expect(new Set(places).size).to.equal(places.length);
    for (const { file, from, to } of mutations) {
      const times = readFileSync(join(root, 'lib', file), 'utf8').split(from).length - 1;
      expect(times, `${from} in lib/${file}: give spec/mutations the line as it is now`).to.equal(1);
      expect(from + to, 'one line').to.not.include('\n');
      expect(to).not.to.equal(from);
    }
  });

  it('name specs that are there', () => {
    for (const { specs } of mutations) {
      expect(specs).not.to.be.empty;
      for (const spec of specs) expect(existsSync(join(root, 'spec', spec)), spec).to.equal(true);
    }
  });
});
