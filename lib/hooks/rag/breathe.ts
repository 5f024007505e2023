import { setImmediate } from 'node:timers/promises';

/** The process does nothing else for so long, in milliseconds. */
const SLICE_MS = 20;

/** Gives a function that lets others go on where work has taken its time; synchronous calls in slices cost a tenth of asynchronous ones. */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
