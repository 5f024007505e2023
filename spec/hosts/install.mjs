import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Installs the hosts if one is missing or their lock file changed. Without a network, the specs of missing hosts stay pending.
const here = fileURLToPath(new URL('.', import.meta.url));
const timeOf = (path) => statSync(join(here, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const missing = Object.keys(dependencies).some((name) => timeOf(`node_modules/${name}/package.json`) === 0);

if (missing || timeOf('node_modules/.package-lock.json') < timeOf('package-lock.json')) {
  const started = performance.now();
  const args = ['ci', '--prefix', here, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const { status, error } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  if (status === 0) console.log(`hosts: installed ${sizeOf('node_modules')} MB in ${seconds} s`);
  else console.log(`hosts: not installed: npm ci ended with ${error?.message ?? `exit code ${status}`}`);
}

function sizeOf(folder) {
  const files = readdirSync(join(here, folder), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return Math.round(bytes / 1_000_000);
}
