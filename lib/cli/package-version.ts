import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of this package. */
export function packageVersion(): string {
  // lib/cli and dist/cli are equally deep.
  return JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')).version;
}
