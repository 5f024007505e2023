import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './house/import-graph.ts';
import type { Walks } from './house/walks.ts';

/** Files of a numbered list in CONTRIBUTING, in order. */
function walkUnder(heading: string): string[] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, section = ''] = text.split(`### ${heading}\n`);
  return [...(section.split('\n#')[0] as string).matchAll(/^\d+\. `([^`]+)`: \S.*\.$/gm)].map(
    ([, file]) => file as string,
  );
}

describe('the walks of CONTRIBUTING', () => {
  let seen: { entered: Walks; covered: Walks };

  before(() => {
    const flags = ['-C', 'hookline:source', '-r', 'ts-node/register'];
    const script = join(root, 'spec/house/walk-order.ts');
    seen = JSON.parse(execFileSync(process.execPath, [...flags, script], { cwd: root, encoding: 'utf8' }));
  });

  for (const [heading, walk] of [
    ['A denied call', 'deniedCall'],
    ['A chunk', 'chunk'],
  ] as const) {
    it(`${heading.toLowerCase()} visits the listed files in order`, () => {
      expect(walkUnder(heading)).to.deep.equal(seen.entered[walk]);
    });

    it(`${heading.toLowerCase()} enters functions of the same files in V8 coverage`, () => {
      expect([...seen.entered[walk]].sort()).to.deep.equal(seen.covered[walk]).and.not.be.empty;
    });
  }
});
