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
export const runRecordSchema = z.strictObject({
  /** The id of the first run, before it was suspended and resumed. */
  root: z.string(),
  /** Whether a model request was sent. Only a run that has begun gets a last answer. */
  asked: z.boolean(),
  /** Whether a call exceeded its limit. */
  refused: z.boolean(),
  /** Counted calls without a result. */
  counted: z.array(z.string()),
});

export type RunRecord = z.infer<typeof runRecordSchema>;

export function makeRunTree({ run, scheduler, log }: HookContext, record: StateCell<RunRecord>): RunTree {
  if (record.get().root === '') record.update((known) => ({ ...known, root: run.runId }));
  const { sessionId, runId: top } = run;
  const who = { root: record.get().root, sessionId, userId: userOf(run) };
  const now = () => scheduler.now();
  return { who, top, now, log, countedTo: now(), pendingNotes: [] };
}
