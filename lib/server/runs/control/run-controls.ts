import type { Answering } from '../../approvals/answering.ts';
import type { SuspendedRuns } from '../../approvals/suspended-runs.ts';
import { refuse } from '../../http/refuse.ts';
import type { RunRecords } from '../../records/run-records.ts';
import type { KeptRuns } from '../kept-runs.ts';
import type { RunControl, RunView } from '../run-view.ts';
import type { Runs, RunsOptions } from '../runs.ts';
import type { TakeOvers } from '../take-over/take-overs.ts';
import type { WatchedRunsOfProgram } from '../watch/watch-runs.ts';

interface Parts extends Pick<Runs, 'find'> {
  readonly runs: KeptRuns;
  readonly suspended: SuspendedRuns;
  readonly records: RunRecords;
  readonly watching: WatchedRunsOfProgram;
  readonly takeOvers: Pick<TakeOvers, 'isLost' | 'cancel'>;
  readonly answering: Pick<Answering, 'isResuming'>;
  readonly options: Pick<RunsOptions, 'controlElsewhere'>;
}

const LOST =
  'The server of this run has ended, and another one may continue it as a new run ("resumedBy"). Wait for that run, or cancel this one.';
const TAKEN =
  'The run is continued as a new one ("resumedBy"), or another request cancels it. Read it again, and cancel the new one.';
const AWAY = 'The server of this run does not respond. Try again, or use the server that started the run.';

/** Controls active runs, of this server and of others. */
export function runControls(parts: Parts): Pick<Runs, RunControl> {
  const { runs, suspended, records, watching, takeOvers, answering, find, options } = parts;

  /** Sends a control to the server that has the run. Rejects (409) if none has it. */
  async function send(user: string, runId: string, control: RunControl): Promise<RunView> {
    const isSent = await options.controlElsewhere?.(user, runId, control);
    const view = await find(user, runId);
    if (!isSent && view.state === 'running') throw refuse(409, AWAY);
    return view;
  }

  async function rejectLost(user: string, runId: string): Promise<void> {
    if (await takeOvers.isLost({ user, runId })) throw refuse(409, LOST);
  }

  async function hold(user: string, runId: string, control: 'pause' | 'continue'): Promise<RunView> {
    const run = runs.find(user, runId);
    watching.checkControl(run, control);
    const { state } = await find(user, runId);
    if (state !== 'running') throw refuse(409, `Only an active run can be paused or continued. This one is ${state}.`);
    if (!run) {
      await rejectLost(user, runId);
      return send(user, runId, control);
    }
    await run.hold(control === 'pause');
    return find(user, runId);
  }

  /** Cancels a run that this server does not have, and that is not suspended. */
  async function cancelOther(user: string, runId: string): Promise<RunView> {
    const before = await find(user, runId);
    if (before.resumedBy !== undefined) throw refuse(409, TAKEN);
    // Without a take-over here, a lost run counts as failed. Another server may still continue it.
    if (before.state !== 'running' && !(await takeOvers.isLost({ user, runId }))) return before;
    if (!(await takeOvers.cancel({ user, runId }))) return send(user, runId, 'cancel');
    const view = await find(user, runId);
    if (view.state === 'running' || view.resumedBy !== undefined) throw refuse(409, TAKEN);
    // Its server has saved it as suspended, but not recorded that.
    return view.state === 'suspended' ? cancel(user, runId) : view;
  }

  const cancel: Runs['cancel'] = async (user, runId) => {
    const run = runs.find(user, runId);
    watching.checkControl(run, 'cancel');
    if (run?.view?.state === 'running') {
      run.cancel('cancelled over HTTP');
      await run.ended;
    }
    const stored = await suspended.find(user, runId);
    if (!stored) return run ? find(user, runId) : cancelOther(user, runId);
    // After a failed attempt, nobody here may be able to resume it.
    if (stored.run.watched && !stored.run.issue)
      throw refuse(409, 'The program resumes this run. Deny its pending calls instead.');
    const given = { outcome: 'cancelled', reason: 'cancelled over HTTP while suspended' } as const;
    if (answering.isResuming(stored.run) || !(await suspended.remove(user, runId, stored.revision)))
      throw refuse(409, 'The run is being resumed. Cancel the run that replaces it.');
    run?.note(given);
    const { waiting: _, ...view } = stored.run.run;
    const ended: RunView = { ...view, state: 'ended', ...given };
    await records.note({ user, runId }, ended);
    return ended;
  };

  return {
    cancel,
    pause: (user, runId) => hold(user, runId, 'pause'),
    continue: (user, runId) => hold(user, runId, 'continue'),
    async interrupt(user, runId) {
      const run = runs.find(user, runId);
      watching.checkControl(run, 'interrupt');
      if (run) run.interrupt();
      else {
        // Nobody can give a last reply. A cancel would lose what another server may continue.
        await rejectLost(user, runId);
        if ((await find(user, runId)).state === 'running') return send(user, runId, 'interrupt');
      }
      return find(user, runId);
    },
  };
}
