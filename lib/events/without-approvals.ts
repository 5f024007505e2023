import type { HookEvent } from './hook-event.ts';
import type { RunInfo } from './parts/run-info.ts';
import type { JsonObject } from './values/json-value.ts';

const shownRuns = new WeakMap<RunInfo, RunInfo>();

/**
 * Returns an event for use outside of the hooks of this process. The metadata of a resumed run may contain who answered its approval prompts, with
 * token and address. Only the audit log may contain that.
 */
export function withoutApprovals<E extends HookEvent>(event: E): E {
  const { run } = event;
  // The metadata of other runs comes from their users. Sub-agents have the metadata of their parent run.
  const resumed = run.resumedFrom !== undefined || run.depth > 0;
  if (!resumed || run.metadata?.['approvals'] === undefined) return event;
  const shown = shownRuns.get(run) ?? runWithout(run);
  shownRuns.set(run, shown);
  const own = { ...event, run: shown };
  // If the run is suspended again, the snapshot also contains it.
  if (own.type !== 'postCall' || own.snapshot === undefined) return own;
  return { ...own, snapshot: { ...own.snapshot, run: own.run } };
}

/** Returns a run, or the options of one, without the approvals in its metadata. */
export function runWithout<R extends { readonly metadata?: unknown }>(run: R): R {
  const all = run.metadata as JsonObject | null | undefined;
  if (all?.['approvals'] === undefined) return run;
  const { approvals: _, ...kept } = all;
  const { metadata: __, ...rest } = run;
  return (Object.keys(kept).length === 0 ? rest : { ...rest, metadata: kept }) as R;
}
