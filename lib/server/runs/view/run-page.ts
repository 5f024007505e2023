import { z } from 'zod';
import { refuse } from '../../http/refuse.ts';
import { type RunView, runViewSchema } from '../run-view.ts';
import { isWaiting, readFilter } from './filter-runs.ts';
import { type PieceOfWork, workOf } from './pieces-of-work.ts';

/** A page of runs, newest first. */
export const runPageSchema = z.strictObject({
  runs: z.array(runViewSchema),
  /** The value of `after` for the next page; absent on the last one. */
  next: z.string().exactOptional(),
  /** The number of runs on all pages. */
  total: z.int().nonnegative(),
});

export interface RunFilter {
  /** `waiting`: with pending calls, suspended or active. */
  readonly state?: RunView['state'] | 'waiting' | undefined;
  readonly outcome?: RunView['outcome'];
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  /** Started at this time (ISO 8601) or later. */
  readonly from?: string | undefined;
  /** Started before this time. */
  readonly to?: string | undefined;
  /** See `readFilter`. */
  readonly filter?: string | undefined;
}

function matches(view: RunView, { state, outcome, session, agent, from, to }: RunFilter): boolean {
  return (
    (state === undefined || (state === 'waiting' ? isWaiting(view) : view.state === state)) &&
    (outcome === undefined || view.outcome === outcome) &&
    (session === undefined || view.sessionId === session) &&
    (agent === undefined || view.agent === agent) &&
    (from === undefined || Date.parse(view.startedAt) >= Date.parse(from)) &&
    (to === undefined || Date.parse(view.startedAt) < Date.parse(to))
  );
}

export type RunPage = z.infer<typeof runPageSchema>;

/** The pieces of work after the place that the last page returned. An invalid filter is rejected (400). */
export function pageOf(
  pieces: Iterable<PieceOfWork>,
  limit: number,
  after?: string,
  { filter = '', ...wanted }: RunFilter = {},
): RunPage {
  const read = readFilter(filter);
  if ('issue' in read) throw refuse(400, read.issue);
  const found: { readonly place: string; readonly view: RunView }[] = [];
  for (const piece of pieces) {
    const { view } = piece;
    if (matches(view, wanted) && read.matches(piece)) found.push({ place: placeOf(view), view });
  }
  found.sort((a, b) => (a.place < b.place ? 1 : -1));
  const rest = after === undefined ? found : found.filter(({ place }) => place < after);
  const runs = rest.slice(0, limit);
  const last = runs.at(-1);
  const next = last && rest.length > limit && { next: last.place };
  return { runs: runs.map(({ view }) => view), total: found.length, ...next };
}

/** Returns the place in `after`; undefined if it is empty. Any other text is rejected (400). */
export function placeIn(after: string | undefined): string | undefined {
  if (after === undefined || after === '') return undefined;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z_./.test(after)) return after;
  throw refuse(400, `after must be \`next\` of the previous page, not ${JSON.stringify(after)}.`);
}

/** Stays valid if runs are added, removed or resumed. */
function placeOf(view: RunView): string {
  return `${view.startedAt}_${workOf(view)}`;
}
