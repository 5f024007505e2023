import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt } from './is-built.ts';

/** Builds the command before all specs where it is older than its source: started some three hundred times, it takes a third of the time. */
export function mochaGlobalSetup(): void {
  // Coverage is of the source.
  if (process.env['NODE_V8_COVERAGE'] !== undefined || isBuilt()) return;
  execFileSync(process.execPath, [join(__dirname, '../lib/build.mjs'), '--quick'], { stdio: 'inherit' });
}
