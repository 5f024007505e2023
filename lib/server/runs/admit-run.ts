import { refuse } from '../http/refuse.ts';
import type { RunLimits } from './run-limits.ts';
import type { TrackedRun } from './tracked-run.ts';

/** Refuses a run whose session is busy (409), and one too many of a user (429) or of all (503). */
export function admitRun(
  known: readonly TrackedRun[],
  limits: Pick<RunLimits, 'running' | 'runningPerUser'>,
  user: string,
  session: string,
): void {
  const later = { 'retry-after': '5' };
  // One that is being saved takes nothing of its session any more.
  const running = known.filter(({ phase }) => phase === 'beginning' || phase === 'running');
  const own = running.filter(({ owner }) => owner.user === user);
  const busy = own.find((run) => run.session === session);
  if (busy) {
    const which = busy.view ? `run ${busy.view.runId}` : 'another run';
    throw refuse(409, `The session is busy with ${which}. Wait until that has ended, or cancel it.`);
  }
  if (own.length >= limits.runningPerUser) {
    throw refuse(429, `You have ${own.length} runs going on; more are not allowed at a time.`, later);
  }
  if (running.length >= limits.running) {
    throw refuse(503, `The server has ${running.length} runs going on; more are not allowed at a time.`, later);
  }
}
