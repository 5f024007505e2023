import { firstValueFrom, from, race, tap, timer } from 'rxjs';

/** Waits for `work`, at most `ms` milliseconds. Then it calls `late`, and the work continues. */
export function waitAtMost(ms: number, work: Promise<void>, late: () => void): Promise<unknown> {
  return firstValueFrom(race(from(work), timer(ms).pipe(tap(late))));
}
