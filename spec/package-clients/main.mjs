// Packs the package, installs it into a fresh project, and tries there what its users do with it.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const KB = 1_000;
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const at = mkdtempSync(join(tmpdir(), 'hookline-clients-'));
process.on('exit', () => rmSync(at, { recursive: true, force: true }));

const run = (program, args, cwd = at) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', timeout: 120_000 });
const node = (...args) => run(process.execPath, args);
const bin = (name) => join(at, 'node_modules', name);
const write = (name, text) => {
  mkdirSync(dirname(join(at, name)), { recursive: true });
  writeFileSync(join(at, name), text);
  return name;
};

let failed = 0;
/** One line for each thing that is tried: what it gave, or why it failed. */
function attempt(name, act) {
  try {
    console.log(`ok      ${name}${((told) => (told ? `: ${told}` : ''))(act())}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${[error.message, error.stdout, error.stderr].filter(Boolean).join('\n')}`);
  }
}
function demand(holds, message) {
  if (!holds) throw new Error(message);
}

// The tools have a lock file of their own; the package comes as a user gets it.
for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(here, name), join(at, name));
run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts']);
const [{ filename, unpackedSize }] = JSON.parse(
  run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', at], root),
);
run('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', join(at, filename)]);

attempt('size of the package, unpacked', () => {
  demand(unpackedSize <= 3_000 * KB, `${unpackedSize} bytes, more than 3 MB`);
  return `${(unpackedSize / KB / KB).toFixed(2)} MB`;
});

attempt('no source map, and none that is named', () => {
  const files = run('tar', ['-tzf', filename]).split('\n');
  demand(!files.some((file) => file.endsWith('.map')), 'there is a .map');
  const names = files
    .filter((file) => /\.(?:js|d\.ts)$/.test(file))
    .map((file) => join(at, 'node_modules/hookline', file.replace('package/', '')));
  demand(
    names.length > 500 && !names.some((file) => readFileSync(file, 'utf8').includes('sourceMappingURL')),
    'a file names a map',
  );
});

attempt('one copy of rxjs and of zod', () => {
  for (const name of ['rxjs', 'zod']) {
    const listed = Object.keys(JSON.parse(readFileSync(bin('.package-lock.json'), 'utf8')).packages);
    const copies = listed.filter((path) => path.endsWith(`node_modules/${name}`));
    demand(copies.length === 1, `${name}: ${copies.join(', ')}`);
  }
});

const EXAMPLE = `
const hook = defineHook({ name: 'guard', on: { preActing: (event) => deny(event, 'no') } });
const pipeline = createPipeline([hook]);
if (pipeline.hooks.length !== 1) throw new Error('no hook');`;
write(
  'main.cjs',
  `const { createPipeline, defineHook, deny } = require('hookline');${EXAMPLE}\nrequire('hookline/hooks'); console.log('works');`,
);
write(
  'main.mjs',
  `import { createRequire } from 'node:module';
import { createPipeline, defineHook, deny, HooklineError } from 'hookline';
import { auditLog } from 'hookline/hooks';${EXAMPLE}
if (createRequire(import.meta.url)('hookline').HooklineError !== HooklineError) throw new Error('two instances');
if (typeof auditLog !== 'function') throw new Error('no hooks');
console.log('works');`,
);

const runtimes = { [`Node ${process.versions.node}`]: process.execPath };
for (const [name, file] of [
  ['Node 22', 'node22-linux-x64/bin/node'],
  ['Node 24', 'node24-linux-x64/bin/node'],
  ['Bun', 'bun-linux-x64/bin/bun'],
  ['Deno', 'deno-linux-x64/deno'],
]) {
  const works = existsSync(bin(file)) && spawnSync(bin(file), ['--version'], { timeout: 20_000 }).status === 0;
  if (works) runtimes[name] = bin(file);
  else console.log(`left out ${name}: its npm package has no program that runs on this machine`);
}
for (const [name, program] of Object.entries(runtimes)) {
  const before = name === 'Deno' ? ['run', '-A', '--node-modules-dir=manual'] : [];
  attempt(`${name}: require`, () => demand(run(program, [...before, 'main.cjs']).includes('works'), 'nothing said'));
  attempt(`${name}: import, the same instance`, () =>
    demand(run(program, [...before, 'main.mjs']).includes('works'), 'nothing said'),
  );
}

attempt('the command', () => node(bin('hookline/dist/cli/main.js'), '--version').trim());
attempt('hookline/server without hono says what to install', () => {
  const { stderr } = spawnSync(process.execPath, ['-e', "require('hookline/server')"], { cwd: at, encoding: 'utf8' });
  demand(stderr.includes('npm install hono @hono/node-server'), stderr);
});

write(
  'main.mts',
  `import { createPipeline, defineHook, deny, type PreActing } from 'hookline';
export const refuse = (event: PreActing): PreActing => deny(event, 'no');
export const pipeline = createPipeline([defineHook({ name: 'guard', on: { preActing: refuse } })]);`,
);
for (const [name, options] of Object.entries({
  'nodenext, @types/node': { module: 'nodenext', lib: ['es2023'], types: ['node'] },
  'nodenext, lib dom': { module: 'nodenext', lib: ['es2023', 'dom'], types: [] },
  'bundler, lib dom': { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'], types: [] },
  'bundler, @types/node': { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023'], types: ['node'] },
})) {
  attempt(`TypeScript: ${name}`, () => {
    const compilerOptions = { target: 'es2022', strict: true, noEmit: true, skipLibCheck: false, ...options };
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['main.mts'] }));
    node(bin('typescript/bin/tsc'), '-p', 'tsconfig.json');
  });
}

const sizeOf = (file) => gzipSync(readFileSync(join(at, file)), { level: 9 }).length;
const inKB = (bytes) => `${(bytes / KB).toFixed(1)} kB gzipped`;
const small = write('small.mjs', `export { deny, modify } from 'hookline';`);
const large = write('large.mjs', `export { createPipeline, defineHook } from 'hookline';`);
write('peers.mjs', `export * as rxjs from 'rxjs'; export * as zod from 'zod';`);

function esbuild(entry, out, ...more) {
  node(
    bin('esbuild/bin/esbuild'),
    entry,
    '--bundle',
    '--minify',
    '--format=esm',
    '--log-level=error',
    `--outfile=${out}`,
    ...more,
  );
  return sizeOf(out);
}
function vite(entry, external) {
  write(
    'vite.config.mjs',
    `export default { logLevel: 'error', build: { outDir: 'vite', minify: 'esbuild', rollupOptions: { external: ${JSON.stringify(external)} }, lib: { entry: ${JSON.stringify(entry)}, formats: ['es'], fileName: () => 'out.js' } } };`,
  );
  node(bin('vite/bin/vite.js'), 'build');
  return sizeOf('vite/out.js');
}
const PEERS = ['rxjs', 'zod'];
for (const [name, bundle] of Object.entries({
  esbuild: (entry, external) => esbuild(entry, 'out.js', ...external.map((one) => `--external:${one}`)),
  Vite: vite,
})) {
  attempt(`${name}, browser: modify and deny`, () => {
    const bytes = bundle(small, []);
    demand(bytes <= 3 * KB, `${inKB(bytes)}, more than 3`);
    return inKB(bytes);
  });
  attempt(`${name}, browser: createPipeline and defineHook, beside rxjs and zod`, () => {
    const bytes = bundle(large, PEERS);
    demand(bytes <= 45 * KB, `${inKB(bytes)}, more than 45`);
    return inKB(bytes);
  });
}
attempt('a bundle with rxjs and zod in it runs', () => {
  const bytes = esbuild(large, 'whole.mjs');
  write(
    'try.mjs',
    `import { createPipeline, defineHook } from './whole.mjs';\ncreatePipeline([defineHook({ name: 'a', observe() {} })]); console.log('works');`,
  );
  demand(node('try.mjs').includes('works'), 'nothing said');
  return inKB(bytes);
});

attempt('Jest', () => {
  write(
    'jest/guard.test.js',
    `const { createPipeline, defineHook, deny } = require('hookline');\ntest('loads', () => {${EXAMPLE}\n});`,
  );
  write('jest.config.js', 'module.exports = {};');
  const { status, stderr } = spawnSync(process.execPath, [bin('jest/bin/jest.js'), '--ci'], {
    cwd: at,
    encoding: 'utf8',
  });
  demand(status === 0 && stderr.includes('1 passed'), stderr);
});

process.exitCode = failed === 0 ? 0 : 1;
console.log(failed === 0 ? 'the package works for its clients' : `${failed} of these failed`);
