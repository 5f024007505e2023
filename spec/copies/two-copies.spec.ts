import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildSync } from 'esbuild';

const root = join(__dirname, '../..');

/** The package as a bundler makes it one: ES modules, names shortened. Within the repository, so that it finds its peers. */
function bundle(folder: string): void {
  buildSync({
    absWorkingDir: root,
    entryPoints: { index: 'lib/index.ts', loops: 'lib/loops/index.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    external: ['rxjs', 'zod'],
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    bundle: true,
    splitting: true,
    minify: true,
  });
}

describe('two copies of the package in one process, and both of zod', () => {
  let found: Record<string, unknown>;

  before(() => {
    const cache = join(root, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'hookline-copy-'));
    try {
      bundle(folder);
      const script = join(__dirname, 'two-copies.mjs');
      const options = { cwd: root, encoding: 'utf8', timeout: 60_000 } as const;
      const { stdout, stderr, status } = spawnSync(process.execPath, [script, join(root, 'dist'), folder], options);
      expect(status, stderr).to.equal(0);
      found = JSON.parse(stdout);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are two indeed', () => {
    expect([found['copiesDiffer'], found['zodsDiffer']]).to.deep.equal([true, true]);
  });

  for (const to of ['cjs with esm', 'esm with cjs']) {
    it(`miss no decision that a handler took and did not return, ${to}`, () => {
      expect(found[`a deny that is not returned, ${to}`]).to.deep.equal([0, 'denied']);
      expect(found[`an abort that is not returned, ${to}`]).to.deep.equal([0, 'failed']);
    });

    it(`show on events$ what runs with hooks of their own and sub-agents do, ${to}`, () => {
      expect(found[`events$ of run({ hooks }) and of a sub-agent, ${to}`]).to.deep.equal([true, true]);
    });

    it(`know each other's errors, ${to}`, () => {
      expect(found[`errors, ${to}`]).to.deep.equal([true, true, true, false, false, 'RunAborted']);
    });

    it(`let runs of one session follow each other, ${to}`, () => {
      expect(found[`runs of one session, ${to}`]).to.deep.equal([
        ...['first begins', 'first ends', 'second begins', 'second ends'],
      ]);
    });
  }

  for (const copy of ['cjs', 'esm']) {
    for (const zod of ['cjs', 'esm']) {
      it(`wait for schemas that answer later: zod ${zod} with ${copy}`, () => {
        const of = (what: string) => found[`${what}, zod ${zod} with ${copy}`];
        expect(of('a promise from refine')).to.equal('{"id":"known"}');
        expect(of('a promise that says no')).to.equal('Input of tool "t" does not fit. id: Invalid input');
        expect(of('a rejection')).to.equal('Input of tool "t" cannot be used: no database');
        expect(of('a transform')).to.equal('{"id":"x!"}');
        expect(of('a misfit')).to.match(/does not fit\. id: .*expected string, received number/);
      });
    }
  }

  it('leave no rejection behind', () => {
    expect(found['rejections']).to.deep.equal([]);
  });
});
