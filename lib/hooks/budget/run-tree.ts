import { z } from 'zod';
import type { NoteInput } from '../../events/decisions/note.ts';
import { userOf } from '../../events/parts/user-of.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { StateCell } from '../../pipeline/define/state.ts';
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
  /** The run that it began as, before it was suspended and resumed. */
  readonly root: string;
  /** Whether the model was asked: only a run that has begun gets a last answer. */
  readonly asked: boolean;
  /** Whether a call was over its limit. */
  readonly refused: boolean;
  /** Calls that were counted and have no result yet. */
  readonly counted: readonly string[];
}

/** Schema of a `RunRecord`. */
export const runRecordSchema = z.strictObject({
  root: z.string(),
  asked: z.boolean(),
  refused: z.boolean(),
  counted: z.array(z.string()),
});

/** Makes the tree of a run without a parent. */
export function makeRunTree({ run, scheduler, log }: HookContext, record: StateCell<RunRecord>): RunTree {
  if (record.get().root === '') record.update((known) => ({ ...known, root: run.runId }));
  const { sessionId, runId: top } = run;
  const who = { root: record.get().root, sessionId, userId: userOf(run) };
  const now = () => scheduler.now();
  return { who, top, now, log, countedTo: now(), untold: [] };
}
