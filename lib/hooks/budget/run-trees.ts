import { z } from 'zod';
import type { NoteInput } from '../../events/decisions/note.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { defineState, type StateCell } from '../../pipeline/define/state.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type { Spender } from './ledger.ts';

/** A run without a parent and its sub-agents: they have one budget and one clock. */
export interface RunTree {
  readonly who: Spender;
  /** The run at the top, as long as it lives in this process. */
  readonly top: string;
  readonly now: () => number;
  readonly log: Logger;
  /** Up to when its time has been counted. */
  countedTo: number;
  /** What is to be told with the next event. */
  readonly untold: NoteInput[];
}

/** What is kept of one run; it travels in snapshots. */
export interface RunRecord {
  readonly root: string;
  /** Whether the model was asked: only a run that has begun gets a last answer. */
  readonly asked: boolean;
  /** Whether a call was over its limit. */
  readonly refused: boolean;
  /** Calls that were counted and have no result yet. */
  readonly counted: readonly string[];
}

/** The trees of runs that live in this process. */
export interface RunTrees {
  of(context: HookContext): RunTree;
  record(context: HookContext): StateCell<RunRecord>;
  /** A run begins: sub-agents will name it as their parent. */
  begin(context: HookContext): void;
  /** A run has ended; gives its tree if it was at the top. */
  end(run: RunInfo): RunTree | undefined;
  readonly size: number;
}

const recordSchema = z.strictObject({
  root: z.string(),
  asked: z.boolean(),
  refused: z.boolean(),
  counted: z.array(z.string()),
});

/** Makes the trees of the hook `name`. */
export function createRunTrees(name: string): RunTrees {
  const key = defineState<RunRecord>({
    name: `${name}.run`,
    schema: recordSchema,
    initial: { root: '', asked: false, refused: false, counted: [] },
  });
  const living = new Map<string, RunTree>();
  // Runs that nobody has begun, and so will not end, go with whoever holds them.
  const known = new WeakMap<RunInfo, RunTree>();

  function make(context: HookContext): RunTree {
    const { run, scheduler } = context;
    const parent = run.parentRunId === undefined ? undefined : living.get(run.parentRunId);
    if (parent) return parent;
    const cell = context.state(key);
    if (cell.get().root === '') cell.update((record) => ({ ...record, root: run.runId }));
    const { sessionId, userId, runId: top } = run;
    const who = { root: cell.get().root, sessionId, userId };
    const now = () => scheduler.now();
    return { who, top, now, log: context.log, countedTo: now(), untold: [] };
  }

  const trees: RunTrees = {
    of(context) {
      const tree = known.get(context.run) ?? make(context);
      known.set(context.run, tree);
      return tree;
    },
    record: (context) => context.state(key),
    begin: (context) => void living.set(context.run.runId, trees.of(context)),
    end(run) {
      const tree = living.get(run.runId);
      living.delete(run.runId);
      return tree?.top === run.runId ? tree : undefined;
    },
    get size() {
      return living.size;
    },
  };
  return trees;
}
