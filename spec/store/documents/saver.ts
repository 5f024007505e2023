import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../../..');

/** Starts `saver.child.ts` with these arguments. */
export function startSaver(...args: readonly string[]): ChildProcess {
  const node = ['-C', 'hookline:source', '-r', 'ts-node/register', join(__dirname, 'saver.child.ts')];
  return spawn(process.execPath, [...node, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
}
