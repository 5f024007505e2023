import type { HookEvent } from './hook-event.ts';
import type { RunInfo } from './parts/run-info.ts';

const told = new WeakMap<RunInfo, RunInfo>();

/**
 * An event as others than the hooks of this process may see it. The metadata of a run that was resumed may say who has answered its approvals,
 * by which token and from where: that is for the audit.
 */
export function withoutApprovals<E extends HookEvent>(event: E): E {
  const { run } = event;
  // Of another run it is what its user has said; sub-agents have the metadata of the run above them.
  const resumed = run.resumedFrom !== undefined || run.depth > 0;
  if (!resumed || run.metadata?.['approvals'] === undefined) return event;
  const own = { ...event, run: told.get(run) ?? runWithout(run) };
  // Suspended again, it is in the snapshot, too.
  if (own.type !== 'postCall' || own.snapshot === undefined) return own;
  return { ...own, snapshot: { ...own.snapshot, run: own.run } };
}

function runWithout(run: RunInfo): RunInfo {
  const { approvals: _, ...kept } = run.metadata ?? {};
  const { metadata: __, ...rest } = run;
  const made: RunInfo = Object.keys(kept).length === 0 ? rest : { ...rest, metadata: kept };
  told.set(run, made);
  return made;
}
