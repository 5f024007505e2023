import { constants } from 'node:os';

type Ending = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** Resolves with the first signal that ends the server. A second signal exits at once. With `hangup`, closing the terminal also ends it. */
export function untilStopped({ hangup = false } = {}): Promise<Ending> {
  const signals: readonly Ending[] = ['SIGTERM', 'SIGINT', ...(hangup ? (['SIGHUP'] as const) : [])];
  return new Promise((resolve) => {
    let stopping = false;
    for (const signal of signals) {
      process.on(signal, () => {
        if (stopping) process.exit(128 + constants.signals[signal]);
        stopping = true;
        resolve(signal);
      });
    }
  });
}
