import { readFileSync } from 'node:fs';

/** Returns the version of this package. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(require.resolve('hookline/package.json'), 'utf8')).version;
}
