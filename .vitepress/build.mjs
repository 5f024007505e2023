import { spawn } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// `npm run docs`: installs the site's own packages if needed, generates its pages, and builds it into docs/.
const root = fileURLToPath(new URL('..', import.meta.url));

const timeOf = (path) => statSync(`${root}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function run(name, program, args) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code !== 0) return reject(new Error(`${name} failed with exit code ${code}`));
      console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
      resolve();
    });
  });
}

if (timeOf('.vitepress/node_modules/.package-lock.json') < timeOf('.vitepress/package-lock.json'))
  await run('install', 'npm', ['ci', '--prefix', '.vitepress', '--no-audit', '--no-fund', '--ignore-scripts']);

rmSync(`${root}/.vitepress/generated`, { recursive: true, force: true });
const node = process.execPath;
await run('pages', node, ['-C', 'hookline:source', '-r', 'ts-node/register', '.vitepress/generator/main.ts']);
const [typedoc, vitepress] = ['typedoc/bin/typedoc', 'vitepress/bin/vitepress.js'].map(
  (path) => `.vitepress/node_modules/${path}`,
);
await run('API', node, [typedoc, '--options', '.vitepress/typedoc.mjs', '--logLevel', 'Warn']);
await run('site', node, [vitepress, 'build', '.', ...process.argv.slice(2)]);
