import { expect } from 'chai';
import { matchGlob } from '../../../lib/tools/files/match-glob.ts';

const cases: [glob: string, matching: string[], other: string[]][] = [
  ['*.ts', ['a.ts', 'src/a.ts', '.ts'], ['a.tsx', 'a.ts/b']],
  ['src/*.ts', ['src/a.ts'], ['src/b/a.ts', 'a.ts', 'x/src/a.ts']],
  ['src/**/*.ts', ['src/a.ts', 'src/b/c/a.ts'], ['lib/a.ts', 'src']],
  ['**', ['a', 'a/b/c'], []],
  ['src/**', ['src/a', 'src/a/b'], ['lib/a']],
  ['a?c', ['abc', 'x/a👩c'], ['ac', 'abbc']],
  ['*.{ts,js}', ['a.ts', 'a.js'], ['a.py']],
  ['{src,lib/{a,b}}/*.ts', ['src/x.ts', 'lib/a/x.ts', 'lib/b/x.ts'], ['lib/x.ts', 'lib/c/x.ts']],
  ['app/[id]/*', ['app/[id]/page.tsx'], ['app/i/page.tsx']],
  ['a.b', ['a.b'], ['axb']],
  ['{a', ['{a'], ['a']],
];

describe('matchGlob', () => {
  for (const [glob, matching, other] of cases) {
    it(`matches ${glob}`, () => {
      const matches = matchGlob(glob);
      expect(matching.filter((path) => !matches(path))).to.deep.equal([]);
      expect(other.filter(matches)).to.deep.equal([]);
    });
  }

  it('matches many stars and braces fast', () => {
    expect(matchGlob(`${'*a'.repeat(100)}b`)('a'.repeat(250))).to.equal(false);
    expect(matchGlob(`${'**/a/'.repeat(100)}b`)('a/'.repeat(500))).to.equal(false);
    expect(matchGlob('{a,b}'.repeat(30))('c')).to.equal(false);
  });
});
