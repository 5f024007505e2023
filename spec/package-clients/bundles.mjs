import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { attempt, demand } from './attempt.mjs';

const KB = 1_000;
const PEERS = ['rxjs', 'zod'];
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Bundles for a browser, by esbuild and by Vite: how large they are, and that they run. */
export function tryBundles({ at, node, tryNode, bin, write }) {
  const small = write('small.mjs', `export { deny, modify } from 'hookline';`);
  const large = write('large.mjs', `export { createPipeline, defineHook } from 'hookline';`);
  const sizeOf = (file) => gzipSync(readFileSync(join(at, file)), { level: 9 }).length;
  const inKB = (bytes) => `${(bytes / KB).toFixed(1)} kB gzipped`;

  function esbuild(entry, external, out = 'out.js') {
    const options = ['--bundle', '--minify', '--format=esm', '--log-level=error', `--outfile=${out}`];
    node(bin('esbuild/bin/esbuild'), entry, ...options, ...external.map((one) => `--external:${one}`));
    return sizeOf(out);
  }

  function vite(entry, external) {
    const lib = { entry, formats: ['es'] };
    const build = { outDir: 'vite', minify: 'esbuild', rollupOptions: { external } };
    write(
      'vite.config.mjs',
      `export default { logLevel: 'error', build: { ...${JSON.stringify(build)}, lib: { ...${JSON.stringify(lib)}, fileName: () => 'out.js' } } };`,
    );
    node(bin('vite/bin/vite.js'), 'build');
    return sizeOf('vite/out.js');
  }

  for (const [name, bundle] of Object.entries({ esbuild, Vite: vite })) {
    for (const [what, entry, external, most] of [
      ['modify and deny', small, [], 3],
      ['createPipeline and defineHook, beside rxjs and zod', large, PEERS, 45.5],
    ]) {
      attempt(`${name}, browser: ${what}`, () => {
        const bytes = bundle(entry, external);
        demand(bytes <= most * KB, `${inKB(bytes)}, more than ${most}`);
        return inKB(bytes);
      });
    }
  }

  attempt('a bundle with rxjs and zod in it runs', () => {
    const bytes = esbuild(large, [], 'whole.mjs');
    write(
      'try.mjs',
      `import { createPipeline, defineHook } from './whole.mjs';\ncreatePipeline([defineHook({ name: 'a', observe() {} })]); console.log('works');`,
    );
    demand(node('try.mjs').includes('works'), 'nothing said');
    return inKB(bytes);
  });

  attempt('esbuild, an ES module for Node: hookline/tools', () => {
    const entry = write(
      'node.mjs',
      `import { workspaceTools } from 'hookline/tools';\nconsole.log(workspaceTools({ root: '.' }).length);`,
    );
    node(bin('esbuild/bin/esbuild'), entry, '--bundle', '--platform=node', '--format=esm', '--outfile=node.out.mjs');
    // CommonJS would fail here: it requires modules of Node.
    demand(Number(node('node.out.mjs')) > 3, 'no tools');
  });

  attempt('source maps: a stack trace of a bundle names the lines of the source', () => {
    const entry = write('fails.mjs', `import { defineHook } from 'hookline';\ndefineHook({ name: '' });`);
    const options = [
      '--bundle',
      '--minify',
      '--format=esm',
      '--sourcemap',
      '--log-level=error',
      '--outfile=mapped.mjs',
    ];
    node(bin('esbuild/bin/esbuild'), entry, ...options);
    const { stderr } = tryNode('--enable-source-maps', 'mapped.mjs');
    const [, file, line] = /hookline\/(lib\/[\w/-]+\.ts):(\d+)/.exec(stderr) ?? [];
    demand(file !== undefined, stderr);
    const text = readFileSync(join(root, file), 'utf8').split('\n')[Number(line) - 1];
    demand(/\bthrow\b|new HooklineError/.test(text), `${file}:${line} is ${text}`);
    return `${file}:${line}`;
  });
}
