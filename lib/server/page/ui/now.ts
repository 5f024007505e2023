import { signal } from '@preact/signals';

/** How far the clock of the server is ahead of this one, in milliseconds. */
let ahead = 0;

/** The time of the server, told anew each second, for what counts. */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now() + ahead;
}, 1_000);

/** Takes the time from an answer of the server, which tells it in whole seconds. */
export function setClock(date: string | null): void {
  const told = Date.parse(date ?? '');
  if (!Number.isNaN(told) && Math.abs(told - Date.now() - ahead) > 2_000) ahead = told - Date.now();
}
