import { signal } from '@preact/signals';

/** The difference between the clock of the server and the local one, in milliseconds. */
let ahead = 0;

/** The time of the server, updated each second, for counters. */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now() + ahead;
}, 1_000);

/** Sets the clock from a response of the server, whose time is in whole seconds. */
export function setClock(date: string | null): void {
  const serverTime = Date.parse(date ?? '');
  if (!Number.isNaN(serverTime) && Math.abs(serverTime - Date.now() - ahead) > 2_000) ahead = serverTime - Date.now();
}
