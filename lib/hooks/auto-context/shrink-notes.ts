import type { NoteInput } from '../../events/decisions/note.ts';
import type { Marks } from './plan-shrink.ts';

/** The size of a request before and after shrinking. */
export interface ShrinkSizes {
  /** In tokens. */
  readonly before: number;
  readonly after: number;
  /** The number of its messages of the conversation. */
  readonly remaining: number;
  /** Whether the provider rejected a longer request. */
  readonly refused: boolean;
  /** The number of characters of the summary. Undefined: summaries are disabled. */
  readonly summary: number | undefined;
}

/** Returns the notes on a shrunk request for observers. */
export function shrinkNotes(before: Marks, now: Marks, sizes: ShrinkSizes): readonly NoteInput[] {
  const dropped = now.dropped - before.dropped;
  if (dropped === 0 && now.shortened === before.shortened) return [];
  const compressed: NoteInput = {
    code: 'context-compressed',
    message: `The request was shrunk from ${sizes.before} to ${sizes.after} tokens.`,
    data: {
      reason: sizes.refused ? 'refused' : 'budget',
      tokensBefore: sizes.before,
      tokensAfter: sizes.after,
      droppedMessages: dropped,
      remainingMessages: sizes.remaining,
    },
  };
  if (dropped === 0 || sizes.summary === undefined) return [compressed];
  const summarised: NoteInput = {
    code: 'context-summarised',
    message: `${dropped} old messages were summarised.`,
    data: { summarisedMessages: dropped, keptMessages: sizes.remaining, summaryLength: sizes.summary },
  };
  return [compressed, summarised];
}
