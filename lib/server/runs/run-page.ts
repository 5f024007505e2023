import { z } from 'zod';
import { filterRuns } from './filter-runs.ts';
import { type RunView, runViewSchema } from './run-view.ts';

/** A page of runs, newest first. */
export const runPageSchema = z.strictObject({
  runs: z.array(runViewSchema),
  /** The value of `after` for the next page; absent on the last one. */
  next: z.string().exactOptional(),
  /** The number of runs on all pages. */
  total: z.int().nonnegative(),
});

/** Filters of a list of runs. */
export interface RunFilter {
  readonly state?: RunView['state'] | undefined;
  readonly outcome?: RunView['outcome'];
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  /** Started at this time (ISO 8601) or later. */
  readonly from?: string | undefined;
  /** Started before this time. */
  readonly to?: string | undefined;
  /** See `filterRuns`. */
  readonly filter?: string | undefined;
}

function matches(view: RunView, { state, outcome, session, agent, from, to }: RunFilter): boolean {
  const at = Date.parse(view.startedAt);
  return (
    (state === undefined || view.state === state) &&
    (outcome === undefined || view.outcome === outcome) &&
    (session === undefined || view.sessionId === session) &&
    (agent === undefined || view.agent === agent) &&
    (from === undefined || at >= Date.parse(from)) &&
    (to === undefined || at < Date.parse(to))
  );
}

export type RunPage = z.infer<typeof runPageSchema>;

/** The runs after the place that the last page returned. */
export function pageOf(views: readonly RunView[], limit: number, after?: string, wanted: RunFilter = {}): RunPage {
  const fitting = filterRuns(views, wanted.filter ?? '');
  const sorted = fitting.filter((view) => matches(view, wanted)).sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  const rest = after === undefined ? sorted : sorted.filter((view) => placeOf(view) < after);
  const runs = rest.slice(0, limit);
  const last = runs.at(-1);
  return { runs, total: sorted.length, ...(last && rest.length > limit && { next: placeOf(last) }) };
}

/** Stays valid if runs are added or removed. */
function placeOf({ startedAt, runId }: RunView): string {
  return `${startedAt}_${runId}`;
}
