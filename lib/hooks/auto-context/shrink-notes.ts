import type { NoteInput } from '../../events/decisions/note.ts';
import type { Marks } from './plan-shrink.ts';

/** What a request was before and after it was shrunk. */
export interface ShrinkSizes {
  /** In tokens. */
  readonly before: number;
  readonly after: number;
  /** How many messages of the conversation are in it. */
  readonly remaining: number;
  /** Whether the provider has refused a longer one. */
  readonly refused: boolean;
  /** How many characters the summary has; undefined: there is to be none. */
  readonly summary: number | undefined;
}

/** The notes that tell how far a request was shrunk, for those who watch. */
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
