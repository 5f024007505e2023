import { Worker } from 'node:worker_threads';

/**
 * Ends this process by SIGKILL if it is still there after so many milliseconds. A hook that never gives the thread back (`for (;;);`) leaves
 * nobody else who could; the shell that has started it goes on to its `|| exit 2`. It does not keep the process.
 */
export function killAfter(ms: number, why: string): void {
  const script = `
    const { workerData } = require('node:worker_threads');
    setTimeout(() => {
      require('node:fs').writeSync(2, workerData.why);
      process.kill(process.pid, 'SIGKILL');
    }, workerData.ms);`;
  new Worker(script, { eval: true, workerData: { ms, why } }).unref();
}
