import { z } from 'zod';
import { textOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { hookEventSchema, type SettledEvent } from '../../events/hook-event.ts';

/** Settled events of a run and its sub-agents, oldest first. A mark stands for chunks that were not stored. */
export type JournalItem = SettledEvent | { readonly lost: number; readonly of: 'chunks' };

const markSchema = z.strictObject({ lost: z.int().positive(), of: z.literal('chunks') });
const chunkSchema = z.looseObject({ type: z.enum(['reasoningChunk', 'actingChunk']) });
const placeSchema = z.looseObject({
  seq: z.int().nonnegative(),
  time: z.number(),
  run: z.looseObject({ runId: z.string() }),
});

/**
 * Checks the journal of a run that was cut off. Returns its events. Throws `RECOVERY_INVALID` if one is missing, invalid or
 * of another run, or if the run has ended.
 */
export function readJournal(items: readonly JournalItem[]): readonly SettledEvent[] {
  const next = new Map<string, number>();
  const events: SettledEvent[] = [];
  // The recorder may write a mark later than the next event.
  let lost = items.reduce((sum, item) => sum + (markSchema.safeParse(item).data?.lost ?? 0), 0);
  let root: string | undefined;
  for (const [index, item] of items.entries()) {
    if (!markSchema.safeParse(item).success) {
      const event = parse(item, index);
      const { runId, parentRunId } = event.run;
      root ??= runId;
      const expected = next.get(runId) ?? 0;
      if (runId !== root && (parentRunId === undefined || !next.has(parentRunId)))
        throw invalid(`event ${index} belongs to another run, ${JSON.stringify(runId)}. Give the events of one run.`);
      if (event.seq < expected)
        throw invalid(`event ${index} (seq ${event.seq} of run ${runId}) is in the wrong order, or there twice.`);
      lost -= event.seq - expected;
      if (lost < 0)
        throw invalid(`the events before seq ${event.seq} of run ${runId} are missing, from seq ${expected}.`);
      if (expected === 0 && event.type !== 'preCall')
        throw invalid(`the journal of run ${runId} must begin with preCall, not with ${event.type}.`);
      next.set(runId, event.seq + 1);
      if (runId === root && event.type === 'postCall') throw ended(event.outcome);
      events.push(event);
    }
  }
  if (root === undefined) throw invalid('the journal has no events.');
  return events;
}

/** The error of a journal from which no run can continue. */
export function invalid(why: string): HooklineError {
  return new HooklineError('RECOVERY_INVALID', `agent.recover(journal): ${why}`);
}

function ended(outcome: string): HooklineError {
  if (outcome === 'suspended')
    return invalid('the run is suspended. Continue it with agent.resume() and the snapshot of its postCall.');
  return invalid(`the run has ended (${outcome}), so there is nothing to recover. Start a new run.`);
}

function parse(item: unknown, index: number): SettledEvent {
  // Chunks have no effect on the recovery, and there are many.
  const isPlain = chunkSchema.safeParse(item).success;
  for (const schema of isPlain ? [placeSchema] : [placeSchema, hookEventSchema]) {
    const { error } = schema.safeParse(item);
    if (!error) continue;
    const shown = textOf(item).slice(0, 100);
    const why = z.prettifyError(error as z.ZodError);
    throw invalid(`item ${index} (${shown}) is not a settled event, so the journal is damaged or cut: ${why}`);
  }
  return item as SettledEvent;
}
