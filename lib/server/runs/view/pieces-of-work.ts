import type { RunView } from '../run-view.ts';
import type { FilteredRun } from './filter-runs.ts';

/** Runs that resumed each other: the view that has their sums, and the texts of all of them. */
export type PieceOfWork = FilteredRun;

/** The first run of the runs that resumed each other. */
export function workOf({ runId, parts }: Pick<RunView, 'runId' | 'parts'>): string {
  return parts?.[0] ?? runId;
}

/** Groups runs that resumed each other. The view is that of the active run, else of the waiting one, else of the last. */
export function piecesOfWork(runs: Iterable<FilteredRun>): readonly PieceOfWork[] {
  const pieces = new Map<string, PieceOfWork>();
  for (const run of runs) {
    const work = workOf(run.view);
    const before = pieces.get(work);
    if (before) pieces.set(work, joined(before, run));
    else pieces.set(work, run);
  }
  return [...pieces.values()];
}

function joined(a: FilteredRun, b: FilteredRun): PieceOfWork {
  return { view: isAfter(b.view, a.view) ? b.view : a.view, texts: [...a.texts, ...b.texts] };
}

/** Active before waiting before ended. */
const order: readonly RunView['state'][] = ['ended', 'suspended', 'running'];

/** Whether `a`, not `b`, shows the state of their work. */
export function isAfter(a: RunView, b: RunView): boolean {
  if (a.state !== b.state) return order.indexOf(a.state) > order.indexOf(b.state);
  // The second of two answers at once fails, but the work continues.
  const isFailed = a.outcome === 'failed';
  if (a.resumedFrom !== undefined && a.resumedFrom === b.resumedFrom && isFailed !== (b.outcome === 'failed'))
    return !isFailed;
  return (a.resumedAt ?? a.startedAt) > (b.resumedAt ?? b.startedAt);
}
