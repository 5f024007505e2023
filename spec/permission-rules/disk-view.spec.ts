import fs, { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { createDiskView } from '../../lib/permission-rules/disk-view.ts';
import { tempFolder } from '../temp-folder.ts';

const root = tempFolder('disk-view');
mkdirSync(join(root, 'a/b'), { recursive: true });
writeFileSync(join(root, 'a/f'), '1');
for (const [to, link] of [
  ['a', 'to-folder'],
  ['to-folder', 'b-to-link'],
  ['a/f', 'to-file'],
  ['nowhere', 'to-nothing'],
  ['round', 'round'],
  [root, 'a/up'],
] as const)
  symlinkSync(to, join(root, link));

/** The same with a lookup of the whole path each time. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(realOf(dirname(path)), basename(path));
  }
}

describe('a view of the disk', () => {
  it('answers like a lookup of each whole path, with any earlier lookups', () => {
    const counts = { there: 0, missing: 0, led: 0 };
    const name = fc.constantFrom('a', 'b', 'f', 'to-folder', 'b-to-link', 'to-file', 'to-nothing', 'round', 'up', 'x');
    const path = fc.array(name, { maxLength: 5 }).map((names) => join(root, ...names));
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 6 }), (paths) => {
        const disk = createDiskView();
        for (const one of paths) {
          const isThere = existsSync(one);
          counts[isThere ? 'there' : 'missing'] += 1;
          if (realOf(one) !== one) counts.led += 1;
          expect([one, disk.realOf(one), disk.exists(one)]).to.deep.equal([one, realOf(one), isThere]);
          const entries = isThere && fs.statSync(one).isDirectory() ? readdirSync(one).map((at) => join(one, at)) : [];
          expect(disk.entriesOf(one)).to.deep.equal(entries);
        }
      }),
      { numRuns: 300 },
    );
    for (const [what, count] of Object.entries(counts)) expect(count, what).to.be.greaterThan(50);
  });

  it('looks up a folder once, and nothing below a missing one', () => {
    const { lstatSync } = fs;
    let lookups = 0;
    Object.assign(fs, {
      lstatSync: (...args: Parameters<typeof lstatSync>) => {
        lookups += 1;
        return lstatSync(...args);
      },
    });
    try {
      const disk = createDiskView();
      disk.exists(join(root, 'a'));
      const before = lookups;
      for (let at = 0; at < 100; at += 1) disk.realOf(join(root, 'missing', String(at), 'deep/er'));
      for (let at = 0; at < 10; at += 1) disk.exists(join(root, 'a', String(at)));
      expect(before).to.be.greaterThan(0);
      expect(lookups - before).to.equal(11);
    } finally {
      Object.assign(fs, { lstatSync });
    }
  });
});
