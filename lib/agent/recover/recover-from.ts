import type { Message, ToolResultPart } from '../../events/parts/message.ts';
import { toolCallsOf } from '../../events/parts/messages.ts';
import { errorResult } from '../../events/parts/tool-result.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import type { BatchCall } from '../act-batch.ts';
import { closeOrphans, resultPart } from '../transcript/close-orphans.ts';
import type { Conversation } from '../transcript/conversation.ts';
import { findRun } from './find-run.ts';
import { invalid } from './read-journal.ts';
import { type OpenCalls, type Recovery, type Reply, standing } from './recovery.ts';
import type { Acts, ReplayedRun } from './replay-run.ts';
import { resumedReply } from './resumed-reply.ts';

/** The result of a call that had begun when its process ended. */
export const UNKNOWN_EFFECT =
  'The call was cancelled: the process of the run ended while it may have run; its effect is unknown.';

/** The last reply of a run: in the journal, the store or both. */
interface Last {
  readonly reply: Reply;
  /** What the journal says about its calls. */
  readonly acts: ReplayedRun['acts'];
  /** Its index in the stored conversation, if it is there. */
  readonly index?: number;
  /** Whether the journal would contain each call that has begun. */
  readonly isWhole: boolean;
}

/**
 * Restores the conversation to the last settled step of a run that was cut off. Calls that had begun are closed, unless their tool is idempotent.
 * With `writeAhead`, calls that the journal does not contain have not begun; otherwise that is unknown. Throws `RECOVERY_INVALID`.
 */
export function recoverFrom(
  run: ReplayedRun,
  conversation: Conversation,
  tools: readonly Tool[],
  writeAhead: boolean,
): Recovery {
  const { loaded } = conversation;
  const found = findRun(loaded, run, writeAhead);
  const last = lastReply(run, loaded, found, writeAhead);
  const cut = (length: number) => closeOrphans(loaded.slice(0, length)).length;
  conversation.cut(cut(last?.index ?? loaded.length));
  if (last?.index === undefined)
    conversation.remember(...run.said.slice(found.places.length).filter((one) => 'role' in one));
  const at = conversation.length;
  const open = last && openCalls(last, loaded, tools, run.run.runId);
  if (last && open) conversation.remember(...standing(last.reply, open));
  const { abort, summary } = run;
  return { start: cut(found.start), reply: last?.reply, at, open, abort, summary };
}

function lastReply(
  run: ReplayedRun,
  loaded: readonly Message[],
  { end, places }: ReturnType<typeof findRun>,
  writeAhead: boolean,
): Last | undefined {
  const { reply, acts, said } = run;
  if (!reply && (acts.size > 0 || (run.run.resumedFrom !== undefined && !run.reasoned))) {
    const found = resumedReply(loaded, acts, writeAhead);
    if (found) {
      const { message, index, isLater } = found;
      const reply = { message, finishReason: 'toolCalls' } as const;
      return { reply, acts: isLater ? new Map() : acts, index, isWhole: writeAhead };
    }
    if (acts.size === 0) return undefined;
    throw invalid(`the message with the calls ${[...acts.keys()].join(', ')} is in neither the journal nor the store.`);
  }
  const index = loaded.findLastIndex(({ role }, place) => place >= end && role === 'assistant');
  const message = loaded[index];
  // The calls of the journal are of an earlier reply, and may have the same ids. A model step that failed may have left its partial text.
  if (message && !(run.failed && toolCallsOf(message).length === 0))
    return { reply: { message, finishReason: 'stop' }, acts: new Map(), index, isWhole: false };
  const place = places[said.length];
  // The run has continued after it, with messages of the user or of a hook.
  if (place !== undefined && place + 1 < loaded.length && reply && toolCallsOf(reply.message).length === 0)
    return undefined;
  return reply && { reply, acts, ...(place !== undefined && { index: place }), isWhole: writeAhead };
}

/** Returns the state of the calls of a reply; undefined if it has none. */
function openCalls(
  { reply, acts, index, isWhole }: Last,
  loaded: readonly Message[],
  tools: readonly Tool[],
  runId: string,
): OpenCalls | undefined {
  const asked = toolCallsOf(reply.message);
  if (asked.length === 0) return undefined;
  const next = index === undefined ? undefined : loaded[index + 1];
  const kept = next?.role === 'tool' ? next.parts.filter((part) => part.type === 'toolResult') : [];
  const results: ToolResultPart[] = [];
  const calls: BatchCall[] = [];
  for (const [place, toolCall] of asked.entries()) {
    const nth = asked.slice(0, place).filter(({ id }) => id === toolCall.id).length;
    const act = acts.get(toolCall.id);
    const settled = act?.results[nth];
    const known = kept.filter(({ toolCallId }) => toolCallId === toolCall.id)[nth];
    const part = settled ? resultPart(toolCall, settled) : known;
    if (part) results.push(part);
    else calls.push(openCall({ toolCall, key: `${runId}/${toolCall.id}` }, act, tools, isWhole));
  }
  const after = index === undefined ? [] : loaded.slice(index + (next?.role === 'tool' ? 2 : 1));
  const finishing = [...acts.values()].some((act) => act.finishing);
  const handled = results.every(({ result }) => result.handled === true);
  const batch = { results, pending: [], abort: undefined, finishing, handled };
  return { calls, batch, steering: after.filter(({ role }) => role === 'user') };
}

function openCall(call: BatchCall, act: Acts | undefined, tools: readonly Tool[], isWhole: boolean): BatchCall {
  const began = act && act.begun.length > 0;
  // A call that hooks have rejected or answered does not run, and without one of them in the journal it has not begun.
  if (!began && (act ? act.refused : isWhole)) return call;
  const ran = began ? act.begun : [call.toolCall];
  const repeats = ran.every(({ name }) => tools.find((tool) => tool.name === name)?.idempotent === true);
  if (repeats) return { ...call, repeats };
  return { ...call, acting: { result: errorResult(UNKNOWN_EFFECT), outcome: 'cancelled' } };
}
