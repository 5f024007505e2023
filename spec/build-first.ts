import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';
import { isBuilt } from './is-built.ts';

const root = join(__dirname, '..');
const RELATIVE = /((?:require|import)\("\.[^"]+)\.ts("\))/g;

/**
 * Makes the CommonJS files of `dist` before all specs where they are older than their source: programs that specs start
 * some five hundred times then load JavaScript. `npm run build` makes the whole package, types included.
 */
export function mochaGlobalSetup(): void {
  // Coverage is of the source.
  if (process.env['NODE_V8_COVERAGE'] !== undefined || isBuilt()) return;
  const names = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((name) => name.endsWith('.ts'))) {
    const source = readFileSync(join(root, 'lib', name), 'utf8');
    const { code } = transformSync(source, { loader: 'ts', format: 'cjs', platform: 'node', target: 'es2022' });
    const file = join(root, 'dist', name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code.replace(RELATIVE, '$1.js$2'));
  }
}
