import type { Answering } from '../../approvals/answering.ts';
import type { SuspendedRuns } from '../../approvals/suspended-runs.ts';
import { refuse } from '../../http/refuse.ts';
import type { RunRecords } from '../../records/run-records.ts';
import type { KeptRuns } from '../kept-runs.ts';
import type { RunControl, RunView } from '../run-view.ts';
import type { Runs, RunsOptions } from '../runs.ts';
import type { WatchedRunsOfProgram } from '../watch/watch-runs.ts';

interface Parts extends Pick<Runs, 'find'>, Pick<Answering, 'isResuming'> {
  readonly runs: KeptRuns;
  readonly suspended: SuspendedRuns;
  readonly records: RunRecords;
  readonly watching: WatchedRunsOfProgram;
  /** Sends the control to the server that has the run. Returns false if none has it. */
  readonly elsewhere: RunsOptions['controlElsewhere'];
}

/** Controls active runs, of this server and of others. */
export function runControls(parts: Parts): Pick<Runs, RunControl> {
  const { runs, suspended, records, watching, isResuming, find, elsewhere } = parts;

  async function hold(user: string, runId: string, control: 'pause' | 'continue'): Promise<RunView> {
    const run = runs.find(user, runId);
    watching.checkControl(run, control);
    const { state } = await find(user, runId);
    if (state !== 'running') throw refuse(409, `Only an active run can be paused or continued. This one is ${state}.`);
    if (run) await run.hold(control === 'pause');
    else if (!(await elsewhere?.(user, runId, control)))
      throw refuse(409, 'The server of this run does not respond. Try again, or use the server that started the run.');
    return find(user, runId);
  }

  return {
    pause: (user, runId) => hold(user, runId, 'pause'),
    continue: (user, runId) => hold(user, runId, 'continue'),
    async interrupt(user, runId) {
      const run = runs.find(user, runId);
      watching.checkControl(run, 'interrupt');
      if (run) run.interrupt();
      else if ((await find(user, runId)).state === 'running') await elsewhere?.(user, runId, 'interrupt');
      return find(user, runId);
    },
    async cancel(user, runId) {
      const run = runs.find(user, runId);
      watching.checkControl(run, 'cancel');
      if (run?.view?.state === 'running') {
        run.cancel('cancelled over HTTP');
        await run.ended;
      }
      const stored = await suspended.find(user, runId);
      if (!stored) {
        const view = await find(user, runId);
        if (run || view.state !== 'running' || !(await elsewhere?.(user, runId, 'cancel'))) return view;
        return find(user, runId);
      }
      // After a failed attempt, nobody here may be able to resume it.
      if (stored.run.watched && !stored.run.issue)
        throw refuse(409, 'The program resumes this run. Deny its pending calls instead.');
      const given = { outcome: 'cancelled', reason: 'cancelled over HTTP while suspended' } as const;
      if (isResuming(stored.run) || !(await suspended.remove(user, runId, stored.revision)))
        throw refuse(409, 'The run is being resumed. Cancel the run that replaces it.');
      run?.note(given);
      const { waiting: _, ...view } = stored.run.run;
      const ended: RunView = { ...view, state: 'ended', ...given };
      await records.note({ user, runId }, ended);
      return ended;
    },
  };
}
