import { z } from 'zod';
import { type RunView, runViewSchema } from './run-view.ts';

/** Some runs, the newest first. */
export const runPageSchema = z.strictObject({
  runs: z.array(runViewSchema),
  /** What `after` takes for those that come next; absent where there are none. */
  next: z.string().exactOptional(),
});

export type RunPage = z.infer<typeof runPageSchema>;

/** The first runs after a place that a page has named. */
export function pageOf(views: readonly RunView[], limit: number, after?: string): RunPage {
  const sorted = [...views].sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  const rest = after === undefined ? sorted : sorted.filter((view) => placeOf(view) < after);
  const runs = rest.slice(0, limit);
  const last = runs.at(-1);
  return { runs, ...(last && rest.length > limit && { next: placeOf(last) }) };
}

/** It stays valid when runs come and go. */
function placeOf({ startedAt, runId }: RunView): string {
  return `${startedAt}_${runId}`;
}
