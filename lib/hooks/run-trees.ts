import type { RunInfo } from '../events/parts/run-info.ts';
import type { HookContext } from '../pipeline/define/hook-context.ts';

/** The runs that live in this process, each with what it shares with its sub-agents. */
export interface RunTrees<T> {
  /** What the run at hand shares: its parent's, else its own. */
  of(context: HookContext): T;
  /** A run begins: sub-agents will name it as their parent. */
  begin(context: HookContext): void;
  /** A run has ended; gives what it shared if it has no parent here. */
  end(run: RunInfo): T | undefined;
}

interface Tree<T> {
  readonly top: string;
  readonly shared: T;
}

/** Makes the trees of one hook; `make` gives what a run without a parent shares. */
export function createRunTrees<T>(make: (context: HookContext) => T): RunTrees<T> {
  const living = new Map<string, Tree<T>>();
  // Runs that nobody has begun, and so will not end, go with whoever holds them.
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
