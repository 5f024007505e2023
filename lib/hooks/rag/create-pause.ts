import { setImmediate } from 'node:timers/promises';

/** The maximum time in milliseconds that the process is blocked. */
const SLICE_MS = 20;

/** Creates a function that yields after long work. Synchronous calls in slices cost a tenth of asynchronous ones. */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
