import { z } from 'zod';
import type { NoteInput } from '../../events/decisions/note.ts';
import { userOf } from '../../events/parts/user-of.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { StateCell } from '../../pipeline/define/state.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type { Spender } from './ledger.ts';

/** A root run and its sub-agents, which share one budget and one clock. */
export interface RunTree {
  readonly who: Spender;
  /** The root run while it is in this process. */
  readonly top: string;
  readonly now: () => number;
  readonly log: Logger;
  /** Time is counted up to here. */
  countedTo: number;
  /** Notes to add to the next event. */
  readonly pendingNotes: NoteInput[];
}

/** The record of one run, saved in snapshots. */
export interface RunRecord {
  /** The id of the first run, before it was suspended and resumed. */
  readonly root: string;
  /** Whether a model request was sent. Only a run that has begun gets a last answer. */
  readonly asked: boolean;
  /** Whether a call exceeded its limit. */
  readonly refused: boolean;
  /** Counted calls without a result. */
  readonly counted: readonly string[];
}

/** Schema of a `RunRecord`. */
export const runRecordSchema = z.strictObject({
  root: z.string(),
  asked: z.boolean(),
  refused: z.boolean(),
  counted: z.array(z.string()),
});

/** Creates the tree of a root run. */
export function makeRunTree({ run, scheduler, log }: HookContext, record: StateCell<RunRecord>): RunTree {
  if (record.get().root === '') record.update((known) => ({ ...known, root: run.runId }));
  const { sessionId, runId: top } = run;
  const who = { root: record.get().root, sessionId, userId: userOf(run) };
  const now = () => scheduler.now();
  return { who, top, now, log, countedTo: now(), pendingNotes: [] };
}
