import { HooklineError } from '../../errors.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';

/** Maximum number of runs that a hook process can refer to. A bare pipeline never reports the end of a run. */
const MOST = 1_000;

/** Stored fields of a run. The other fields of a context belong to one handler. */
export type KnownRun = Pick<HookContext, 'run' | 'log' | 'dryRun' | 'state'>;

/** Runs that a hook process received, for its own requests. */
export interface KnownRuns {
  /** Adds a run. If there are too many, the oldest is removed. */
  meet(context: HookContext): void;
  /** Throws if the run is unknown. */
  of(runId: string): KnownRun;
}

export function createKnownRuns(most = MOST): KnownRuns {
  const runs = new Map<string, KnownRun>();
  return {
    meet(context) {
      const { runId } = context.run;
      if (runs.has(runId)) return;
      runs.set(runId, context);
      if (runs.size > most) runs.delete(runs.keys().next().value as string);
    },
    of(runId) {
      const known = runs.get(runId);
      if (known) return known;
      const message = `there is no run "${runId}"; use event.run.runId of a request (of the last ${most} runs).`;
      throw new HooklineError('INPUT_INVALID', message);
    },
  };
}
