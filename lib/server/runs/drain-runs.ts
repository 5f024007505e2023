import { setTimeout as sleep } from 'node:timers/promises';
import type { KeptRuns } from './kept-runs.ts';

/** Waits for runs, cancels those that take longer, and lets clients read the remaining events. */
export async function drainRuns(
  runs: Pick<KeptRuns, 'running' | 'read'>,
  graceMs: number,
  lingerMs: number,
): Promise<void> {
  const ended = () => Promise.all(runs.running().map((run) => run.ended));
  await within(graceMs, ended());
  for (const run of runs.running()) run.cancel('the server is shutting down');
  await ended();
  const left = runs.read().flatMap(({ audience }) => (audience ? [audience] : []));
  await within(lingerMs, Promise.all(left.map(({ left }) => left())));
  for (const audience of left) audience.hangUp();
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([work, late]);
  timer.abort();
}
