import type { RunLimits } from './run-limits.ts';
import type { RunView } from './run-view.ts';
import type { TrackedRun } from './tracked-run.ts';

/** Active runs, and recently ended ones. */
export interface KeptRuns {
  add(run: TrackedRun): void;
  find(user: string, runId: string): TrackedRun | undefined;
  /** The active or recently ended run that contains this run or sub-agent, of any user. */
  holding(runId: string): TrackedRun | undefined;
  running(): readonly TrackedRun[];
  /** Settles when the runs of a session that have ended are saved. */
  saved(user: string, session: string): Promise<unknown>;
  /** The views of a user, or of all users. */
  views(user?: string): readonly RunView[];
  /** All runs that may have readers. */
  read(): readonly Read[];
  /** Keeps the readers of a run that is no longer stored, until they have read it. */
  visit(run: Read): void;
}

/** A source with readers. */
export type Read = Pick<TrackedRun, 'audience'>;

export function keptRuns({ kept, keptText, keptMs, heartbeatMs }: RunLimits): KeptRuns {
  const running = new Set<TrackedRun>();
  /** In the order in which they ended. */
  const ended = new Map<string, TrackedRun>();
  /** No longer stored, but still read by clients. */
  const leaving = new Set<Read>();
  let beating: NodeJS.Timeout | undefined;

  function prune(): void {
    for (const [runId, run] of ended) {
      const isOld = (run.endedAt ?? 0) <= performance.now() - keptMs;
      if (ended.size <= kept && !isOld) break;
      ended.delete(runId);
      if (run.audience && run.audience.size > 0) leaving.add(run);
    }
    const [newest, ...older] = [...ended.values()].reverse();
    let text = newest?.journal?.size ?? 0;
    for (const run of older) {
      text += run.journal?.size ?? 0;
      if (text > keptText) run.forget();
    }
  }

  function beat(): void {
    prune();
    for (const run of running) run.beat();
    for (const run of [...running, ...ended.values(), ...leaving]) run.audience?.beat();
    for (const run of leaving) if (run.audience?.size === 0) leaving.delete(run);
    if (running.size + ended.size + leaving.size > 0) return;
    clearInterval(beating);
    beating = undefined;
  }

  const all = () => [...running, ...ended.values()];
  return {
    read: () => [...all(), ...leaving],
    visit(run) {
      leaving.add(run);
      beating ??= setInterval(beat, heartbeatMs).unref();
    },
    running: () => [...running],
    saved: (user, session) =>
      Promise.all(
        [...running].map((run) =>
          run.phase === 'settling' && run.owner.user === user && run.session === session ? run.ended : undefined,
        ),
      ),
    add(run) {
      running.add(run);
      beating ??= setInterval(beat, heartbeatMs).unref();
      void run.ended.then(() => {
        running.delete(run);
        if (run.view) ended.set(run.view.runId, run);
        prune();
      });
    },
    find: (user, runId) => all().find(({ owner, view }) => owner.user === user && view?.runId === runId),
    holding: (runId) => all().find(({ view, nested }) => view?.runId === runId || nested.has(runId)),
    views: (user) =>
      all().flatMap(({ owner, view }) => (view && (user === undefined || owner.user === user) ? [view] : [])),
  };
}
