import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt } from './is-built.ts';

/** Builds the command before all specs if its source is newer. It starts about three hundred times, in a third of the time. */
export function mochaGlobalSetup(): void {
  // Coverage needs the source.
  if (process.env['NODE_V8_COVERAGE'] !== undefined || isBuilt()) return;
  execFileSync(process.execPath, [join(__dirname, '../lib/build.mjs'), '--quick'], { stdio: 'inherit' });
}
