import { readFileSync } from 'node:fs';

export function packageVersion(): string {
  return JSON.parse(readFileSync(require.resolve('hookline/package.json'), 'utf8')).version;
}
