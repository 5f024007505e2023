import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildSync } from 'esbuild';

const root = join(__dirname, '../..');

/** The package as a bundler builds it: ES modules with shortened names. Within the repository, so that it finds its peers. */
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

describe('a process with two copies of the package and of zod', () => {
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

  it('has different copies', () => {
    expect([found['copiesDiffer'], found['zodsDiffer']]).to.deep.equal([true, true]);
  });

  for (const to of ['cjs with esm', 'esm with cjs']) {
    it(`detects a decision that a handler did not return, ${to}`, () => {
      expect(found[`a deny that is not returned, ${to}`]).to.deep.equal([0, 'denied']);
      expect(found[`an abort that is not returned, ${to}`]).to.deep.equal([0, 'failed']);
    });

    it(`emits runs with their own hooks and sub-agents on events$, ${to}`, () => {
      expect(found[`events$ of run({ hooks }) and of a sub-agent, ${to}`]).to.deep.equal([true, true]);
    });

    it(`recognizes each other's errors, ${to}`, () => {
      expect(found[`errors, ${to}`]).to.deep.equal([true, true, true, false, false, 'RunAborted']);
    });

    it(`runs the runs of one session in sequence, ${to}`, () => {
      expect(found[`runs of one session, ${to}`]).to.deep.equal([
        ...['first begins', 'first ends', 'second begins', 'second ends'],
      ]);
    });
  }

  for (const copy of ['cjs', 'esm']) {
    for (const zod of ['cjs', 'esm']) {
      it(`awaits asynchronous schemas: zod ${zod} with ${copy}`, () => {
        const of = (what: string) => found[`${what}, zod ${zod} with ${copy}`];
        expect(of('a promise from refine')).to.equal('{"id":"known"}');
        expect(of('a promise that says no')).to.equal('The input of tool "t" is invalid. id: Invalid input');
        expect(of('a rejection')).to.equal('Input of tool "t" cannot be used: no database');
        expect(of('a transform')).to.equal('{"id":"x!"}');
        expect(of('a misfit')).to.match(/is invalid\. id: .*expected string, received number/);
      });
    }
  }

  it('leaves no unhandled rejection', () => {
    expect(found['rejections']).to.deep.equal([]);
  });
});
