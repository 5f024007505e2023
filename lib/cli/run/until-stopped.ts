import { constants } from 'node:os';

/** Resolves with the first signal that ends the server; a second one exits at once. */
export function untilStopped(): Promise<'SIGTERM' | 'SIGINT'> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(128 + constants.signals[signal]);
        stopping = true;
        resolve(signal);
      });
    }
  });
}
