import { HooklineError } from '../../errors.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';

/** How many runs a hook process may talk about; a bare pipeline never says that a run has ended. */
const MOST = 1_000;

/** What is kept of a run. The other fields of a context belong to one handler. */
export type KnownRun = Pick<HookContext, 'run' | 'log' | 'dryRun' | 'state'>;

/** The runs that a hook process has been asked about, for what it asks in return. */
export interface KnownRuns {
  /** Remembers a run; the one that came first is forgotten for one too many. */
  meet(context: HookContext): void;
  /** Throws where there is no such run. */
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
