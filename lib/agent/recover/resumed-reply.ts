import type { Message } from '../../events/parts/message.ts';
import { toolCallsOf } from '../../events/parts/messages.ts';
import type { Acts } from './replay-run.ts';

/** The reply in the store whose calls a resumed run has continued, or a later one of that run. */
export interface ResumedReply {
  readonly message: Message;
  readonly index: number;
  /** Whether the run may have continued after the calls of its journal, so that the journal is not about this reply. */
  readonly isLater: boolean;
}

/**
 * Finds the last reply of a run whose journal begins with calls: their message is only in the store. Unless `isWhole`, the store may have more steps of
 * the run than the journal, and a model may use an ID again. Then nothing shows which reply the journal means, and it counts as the earlier one.
 */
export function resumedReply(
  loaded: readonly Message[],
  acts: ReadonlyMap<string, Acts>,
  isWhole: boolean,
): ResumedReply | undefined {
  const index = loaded.findLastIndex(({ role }) => role === 'assistant');
  const message = loaded[index];
  if (!message) return undefined;
  const has = (one: Message): boolean => {
    const ids = toolCallsOf(one).map(({ id }) => id);
    return one.role === 'assistant' && ids.length > 0 && [...acts.keys()].every((id) => ids.includes(id));
  };
  const before = isWhole || acts.size === 0 ? -1 : loaded.slice(0, index).findLastIndex(has);
  const after = loaded.slice(index + 1).map(({ role }, place) => role === 'user' || (role === 'tool' && place === 0));
  if (has(message) && !after.includes(false)) return { message, index, isLater: before >= 0 };
  if (before < 0 || after.includes(false)) return undefined;
  // After a message of the user, a reply may be of another run.
  const steps = loaded.slice(before + 1, index + 1);
  const isOwn = steps.every((one, place) =>
    place % 2 === 0 ? one.role === 'tool' : one.role === 'assistant' && toolCallsOf(one).length > 0,
  );
  return isOwn ? { message, index, isLater: true } : undefined;
}
