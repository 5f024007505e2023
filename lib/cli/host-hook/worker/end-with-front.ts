import { Worker } from 'node:worker_threads';

/** How long this process may run without its front, in milliseconds. Its hooks are closed meanwhile. */
const LEFT_MS = 15_000;

/**
 * Kills this process when its front is gone and a hook blocks the event loop (`for (;;);`). No other process could do it. It does not keep the
 * process alive.
 */
export function endWithFront(): void {
  // On Windows the parent id does not change when the parent is gone.
  const script = `
    const { front, leftMs } = require('node:worker_threads').workerData;
    const isGone = () => {
      if (process.ppid !== front) return true;
      try {
        process.kill(front, 0);
        return false;
      } catch ({ code }) {
        return code === 'ESRCH';
      }
    };
    setInterval(() => {
      if (isGone()) setTimeout(() => process.kill(process.pid, 'SIGKILL'), leftMs);
    }, 1_000);`;
  new Worker(script, { eval: true, workerData: { front: process.ppid, leftMs: LEFT_MS } }).unref();
}
