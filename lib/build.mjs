// Builds the package: CommonJS and types in dist/, the same as ES modules for bundlers in dist/esm/.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const esm = join(dist, 'esm');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(dist, { recursive: true, force: true });
for (const project of ['lib/tsconfig.json', 'lib/tsconfig.esm.json'])
  execFileSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' });

// The nearest package.json decides, so both marks stand here.
writeFileSync(join(esm, 'package.json'), `${JSON.stringify({ type: 'module', sideEffects: false })}\n`);

const RELATIVE = /((?:from|import)\s*\(?\s*["'])(\.[^"']+)\.ts(["'])/g;

// Comments are for readers of the source; what bundlers read is not looked at by anybody.
for (const file of filesIn(dist, '.js')) {
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    minifyWhitespace: file.startsWith(esm),
    target: 'es2022',
    charset: 'utf8',
  });
  writeFileSync(file, code);
}

pruneTypes();

/** Keeps the declarations that an entry point leads to, and names their imports as the files are called. */
function pruneTypes() {
  const reached = new Set();
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const { types } of Object.values(exports)) if (types) reach(join(root, types), reached);
  for (const file of filesIn(dist, '.d.ts')) {
    if (!reached.has(file)) rmSync(file);
    else writeFileSync(file, readFileSync(file, 'utf8').replace(RELATIVE, '$1$2.js$3'));
  }
}

function reach(file, reached) {
  if (reached.has(file)) return;
  if (!existsSync(file)) throw new Error(`${file} is imported by a declaration and does not exist`);
  reached.add(file);
  for (const [, , specifier] of readFileSync(file, 'utf8').matchAll(RELATIVE))
    reach(resolve(dirname(file), `${specifier}.d.ts`), reached);
}

function filesIn(folder, ending) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}
