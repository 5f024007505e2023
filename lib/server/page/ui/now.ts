import { signal } from '@preact/signals';

/** The time, told anew each second, for what counts. */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 1_000);
