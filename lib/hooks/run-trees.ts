import type { RunInfo } from '../events/parts/run-info.ts';
import type { HookContext } from '../pipeline/define/hook-context.ts';

/** The runs in this process, with the state that each shares with its sub-agents. */
export interface RunTrees<T> {
  /** Returns the shared state: the parent's, or the run's own. */
  of(context: HookContext): T;
  /** Registers a run, which sub-agents name as their parent. */
  begin(context: HookContext): void;
  /** Removes a finished run. Returns the shared state if it has no parent here. */
  end(run: RunInfo): T | undefined;
}

interface Tree<T> {
  readonly top: string;
  readonly shared: T;
}

/** Creates the trees of one hook. `make` creates the shared state of a run without a parent. */
export function createRunTrees<T>(make: (context: HookContext) => T): RunTrees<T> {
  const living = new Map<string, Tree<T>>();
  // Runs that were never registered are garbage collected, because they are never removed.
  const known = new WeakMap<RunInfo, Tree<T>>();

  function treeOf(context: HookContext): Tree<T> {
    const { run } = context;
    const parent = run.parentRunId === undefined ? undefined : living.get(run.parentRunId);
    const tree = known.get(run) ?? parent ?? { top: run.runId, shared: make(context) };
    known.set(run, tree);
    return tree;
  }

  return {
    of: (context) => treeOf(context).shared,
    begin: (context) => void living.set(context.run.runId, treeOf(context)),
    end(run) {
      const tree = living.get(run.runId);
      living.delete(run.runId);
      return tree?.top === run.runId ? tree.shared : undefined;
    },
  };
}
