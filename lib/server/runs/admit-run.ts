import { refuse } from '../http/refuse.ts';
import type { RunLimits } from './run-limits.ts';
import type { TrackedRun } from './tracked-run.ts';

/** Rejects a run if its session is busy (409), or if the limit of the user (429) or of all users (503) is reached. */
export function admitRun(
  known: readonly TrackedRun[],
  limits: Pick<RunLimits, 'running' | 'runningPerUser'>,
  user: string,
  session: string,
): void {
  const later = { 'retry-after': '5' };
  // A run that is being saved no longer uses its session.
  const running = known.filter(({ phase }) => phase === 'beginning' || phase === 'running');
  const own = running.filter(({ owner }) => owner.user === user);
  const busy = own.find((run) => run.session === session);
  if (busy) {
    const which = busy.view ? `run ${busy.view.runId}` : 'another run';
    throw refuse(409, `The session is busy with ${which}. Wait until it ends, or cancel it.`);
  }
  if (own.length >= limits.runningPerUser) {
    throw refuse(429, `You have ${own.length} active runs, which is the limit. Wait until one ends.`, later);
  }
  if (running.length >= limits.running) {
    throw refuse(503, `The server has ${running.length} active runs, which is the limit. Try again later.`, later);
  }
}

/** Rejects a run if the user has too many suspended ones (429). */
export function admitBeside(suspended: number, { suspendedPerUser }: Pick<RunLimits, 'suspendedPerUser'>): void {
  if (suspended < suspendedPerUser) return;
  const what = `You have ${suspended} suspended runs, which is the limit. Answer their approvals (GET /api/approvals), or cancel them.`;
  throw refuse(429, what);
}
