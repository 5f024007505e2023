import { Worker } from 'node:worker_threads';

const BEAT_MS = 1_000;

/**
 * Ends this process by SIGKILL once its thread has not been given back for so many milliseconds: by a hook that does `for (;;);`, say.
 * Nobody else could, and no host knows of the process. It does not keep the process.
 */
export function killIfHung(ms: number): void {
  const beat = new Int32Array(new SharedArrayBuffer(4));
  // Its own turns are counted, not the time: none of them comes while the machine sleeps.
  const script = `
    const { beat, everyMs, most } = require('node:worker_threads').workerData;
    let [last, missed] = [-1, 0];
    setInterval(() => {
      const now = Atomics.load(beat, 0);
      missed = now === last ? missed + 1 : 0;
      last = now;
      if (missed > most) process.kill(process.pid, 'SIGKILL');
    }, everyMs);`;
  new Worker(script, { eval: true, workerData: { beat, everyMs: BEAT_MS, most: Math.ceil(ms / BEAT_MS) } }).unref();
  setInterval(() => Atomics.add(beat, 0, 1), BEAT_MS).unref();
}
