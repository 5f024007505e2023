import { spawn } from 'node:child_process';
import { once } from 'node:events';

// write_file recreates the folder if it is missing at that moment, so that one must be removed first.
const program = `
const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs');
const [path, target] = process.argv.slice(1);
const insist = (step) => {
  for (;;) {
    try {
      return step();
    } catch {
      try {
        rmSync(path, { recursive: true, force: true });
      } catch {}
    }
  }
};
// Now and then a state lasts a little, or slow attempts would never see one.
const clock = new Int32Array(new SharedArrayBuffer(4));
const dwell = () => Math.random() < 0.2 && Atomics.wait(clock, 0, 0, Math.random() * 3);
process.stdout.write('ready');
for (;;) {
  renameSync(path, path + '.parked');
  insist(() => symlinkSync(target, path));
  dwell();
  unlinkSync(path);
  insist(() => renameSync(path + '.parked', path));
  dwell();
}`;

/** Starts a process that swaps `path` and a symbolic link to `target` endlessly. Returns a function that stops it. */
export async function startSwapper(path: string, target: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['-e', program, path, target], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return async () => {
    child.kill('SIGKILL');
    await ended;
  };
}
