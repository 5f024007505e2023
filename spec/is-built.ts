import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');

/** Returns whether `dist` was built from the current source. */
export function isBuilt(): boolean {
  const built = join(root, 'dist/cli/main.js');
  // Coverage needs the source.
  if (process.env['NODE_V8_COVERAGE'] !== undefined || !existsSync(built)) return false;
  const made = statSync(built).mtimeMs;
  const names = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' });
  return names.every((name) => statSync(join(root, 'lib', name)).mtimeMs <= made);
}
