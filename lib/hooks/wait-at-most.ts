import { firstValueFrom, from, race, tap, timer } from 'rxjs';

/** Waits for something, but no longer than `ms`; past that `late` is called, and the work goes on by itself. */
export function waitAtMost(ms: number, work: Promise<void>, late: () => void): Promise<unknown> {
  return firstValueFrom(race(from(work), timer(ms).pipe(tap(late))));
}
