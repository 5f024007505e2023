import type { SuspendedRuns } from '../approvals/suspended-runs.ts';
import type { WaitingInside } from '../approvals/waiting-inside.ts';
import { refuse } from '../http/refuse.ts';
import type { RecordedRun, RunRecords } from '../records/run-records.ts';
import type { KeptRuns } from './kept-runs.ts';
import type { RunView } from './run-view.ts';
import { type PieceOfWork, piecesOfWork } from './view/pieces-of-work.ts';

/** Sources of the views of runs. */
interface RunListParts {
  readonly records: RunRecords;
  readonly suspended: SuspendedRuns;
  readonly runs: KeptRuns;
  readonly inside: Pick<WaitingInside, 'callsOf'>;
}

/** The views of runs, in memory and in stores. Without a user, those of all users. */
export interface RunList {
  /** Runs that resumed each other are one. */
  pieces(user: string | undefined): Promise<readonly PieceOfWork[]>;
  find(user: string, runId: string): Promise<RunView>;
  /** The owner of a run; undefined if it does not exist. */
  ownerOf(runId: string): Promise<string | undefined>;
  /** The view with the pending calls of an active run. */
  shown(view: RunView): RunView;
}

export function runList({ records, suspended, runs, inside }: RunListParts): RunList {
  /** By list, because a list of records stays the same while nothing changes. */
  const known = new WeakMap<readonly RecordedRun[], readonly PieceOfWork[]>();

  function shown(view: RunView): RunView {
    const calls = view.state === 'running' ? inside.callsOf(view.runId) : [];
    return calls.length === 0 ? view : { ...view, waiting: calls };
  }

  async function pieces(user: string | undefined): Promise<readonly PieceOfWork[]> {
    const stored = (await suspended.list(user)).map(({ run }) => ({ user: run.user, ...run.run }));
    const recorded = await records.list(user);
    // The state in memory takes precedence over the record.
    const current = new Map([...stored, ...runs.views(user).map(shown)].map((view) => [view.runId, view]));
    if (current.size > 0) return piecesOfWork(withCurrent(recorded, current));
    const before = known.get(recorded) ?? piecesOfWork(recorded);
    known.set(recorded, before);
    return before;
  }

  return {
    shown,
    pieces,
    async find(user, runId) {
      const view = runs.find(user, runId)?.view;
      if (view && view.state !== 'suspended') return shown(view);
      const stored = await suspended.find(user, runId);
      if (stored) return { user, ...stored.run.run };
      const recorded = (await records.find({ user, runId })) ?? view;
      if (recorded) return recorded;
      throw refuse(404, `There is no run ${JSON.stringify(runId)}. GET /api/runs lists yours.`);
    },
    async ownerOf(runId) {
      const active = runs.holding(runId);
      if (active?.view?.runId === runId) return active.owner.user;
      const waiting = (await suspended.list()).find(({ run }) => run.run.runId === runId);
      return waiting?.run.user ?? (await records.list()).find(({ view }) => view.runId === runId)?.view.user;
    },
  };
}

/** Replaces the views of recorded runs by current ones, and adds those of other runs. */
function withCurrent(recorded: readonly RecordedRun[], current: ReadonlyMap<string, RunView>): readonly PieceOfWork[] {
  const others = new Map(current);
  const replaced = recorded.map((run) => {
    const view = others.get(run.view.runId);
    others.delete(run.view.runId);
    return view ? { view, texts: run.texts } : run;
  });
  return [...replaced, ...[...others.values()].map((view) => ({ view, texts: [] }))];
}
