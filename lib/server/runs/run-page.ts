import { z } from 'zod';
import { filterRuns } from './filter-runs.ts';
import { type RunView, runViewSchema } from './run-view.ts';

/** Some runs, the newest first. */
export const runPageSchema = z.strictObject({
  runs: z.array(runViewSchema),
  /** What `after` takes for those that come next; absent where there are none. */
  next: z.string().exactOptional(),
  /** How many there are on all pages. */
  total: z.int().nonnegative(),
});

/** Which runs are wanted. */
export interface RunFilter {
  readonly state?: RunView['state'] | undefined;
  readonly outcome?: RunView['outcome'];
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  /** Begun at this time (ISO 8601) or later. */
  readonly from?: string | undefined;
  /** Begun before this time. */
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

/** The first runs after a place that a page has named. */
export function pageOf(views: readonly RunView[], limit: number, after?: string, wanted: RunFilter = {}): RunPage {
  const fitting = filterRuns(views, wanted.filter ?? '');
  const sorted = fitting.filter((view) => matches(view, wanted)).sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  const rest = after === undefined ? sorted : sorted.filter((view) => placeOf(view) < after);
  const runs = rest.slice(0, limit);
  const last = runs.at(-1);
  return { runs, total: sorted.length, ...(last && rest.length > limit && { next: placeOf(last) }) };
}

/** It stays valid when runs come and go. */
function placeOf({ startedAt, runId }: RunView): string {
  return `${startedAt}_${runId}`;
}
