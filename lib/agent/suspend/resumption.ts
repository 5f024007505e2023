import { HooklineError } from '../../errors.ts';
import type { Message } from '../../events/parts/message.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { Batch, BatchCall } from '../act-batch.ts';
import { closeOrphans, toolMessage } from '../transcript/close-orphans.ts';
import type { Conversation } from '../transcript/conversation.ts';
import type { Answer, Answers, PendingCall, Snapshot } from './snapshot.ts';

/** Where a resumed run goes on: the message whose calls are pending, those calls, and what has settled of the batch. */
export interface Resumption {
  readonly message: Message;
  /** Where what follows the message stands in the conversation. */
  readonly start: number;
  readonly calls: readonly BatchCall[];
  /** The approvers in force when the calls were suspended, by name. */
  readonly approvers: readonly string[];
  readonly batch: Batch;
  /** What the user had said by then, which nothing has answered yet. */
  readonly steering: readonly Message[];
}

/**
 * Brings the conversation to where the snapshot was taken. An empty store (another process) is filled from the snapshot; one that has
 * gone on since is `SNAPSHOT_STALE`.
 */
export function resumeFrom(snapshot: Snapshot, answers: Answers, conversation: Conversation): Resumption {
  const message = snapshot.transcript.at(-1);
  if (!message)
    throw new HooklineError('SNAPSHOT_INVALID', 'The snapshot has no message whose calls could be pending.');
  const known = conversation.messages;
  if (known.length > 0) assertSame(known, snapshot);
  // Until the pending calls are run, they stand closed: the run may end before.
  else conversation.remember(...standing(snapshot));
  const start = snapshot.transcript.length;
  return {
    message: conversation.messages[start - 1] as Message,
    start,
    calls: snapshot.pending.map((call) => toBatchCall(call, answers)),
    approvers: snapshot.approvers ?? [],
    batch: {
      results: [...snapshot.settled],
      pending: [],
      abort: undefined,
      finishing: snapshot.finishing,
      handled: snapshot.settled.every(({ result }) => result.handled === true),
    },
    steering: snapshot.steering ?? [],
  };
}

/** The conversation where the snapshot was taken, with its pending calls closed. */
function standing({ transcript, settled, steering = [] }: Snapshot): readonly Message[] {
  return closeOrphans([...transcript, ...(settled.length > 0 ? [toolMessage(settled)] : []), ...steering]);
}

function toBatchCall(
  { key, toolCall, edited, judged, by, prompt, granted = [], child, childOrder: order }: PendingCall,
  answers: Answers,
): BatchCall {
  const start = edited ? { edited } : {};
  const earlier = granted.map((one) => ({ ...one, approved: true }));
  if (child) {
    const nested = {
      snapshot: child,
      ...(order !== undefined && { order }),
      answers: answers as unknown as JsonObject,
    };
    const pending = { by: granted.map((one) => one.by) };
    return { key, toolCall, ...start, acting: { child: nested, answers: earlier, pending } };
  }
  const asking = by ?? 'approver';
  const pending = { by: [...granted.map((one) => one.by), asking], ...(prompt !== undefined && { prompt }) };
  const answer: Answer | undefined = answers[key];
  if (!answer || !judged) return { key, toolCall, ...start, acting: { answers: earlier, pending } };
  const { approved, reason, input } = answer;
  const shown = input ? { ...judged, input: toJson(input, 'answer.input') as JsonObject } : judged;
  const given = { approved, ...(reason !== undefined && { reason }), by: asking, judged: shown };
  return {
    key,
    toolCall,
    ...start,
    ...(input && { edited: { ...shown, id: toolCall.id } }),
    acting: { answers: [given, ...earlier.filter((one) => one.by !== asking)], pending },
  };
}

/** What the store may hold: the snapshot's conversation, its pending calls closed in passing or not yet. Anything else came later. */
function assertSame(known: readonly Message[], snapshot: Snapshot): void {
  const { run } = snapshot;
  const expected = standing(snapshot);
  const same =
    known.length === expected.length && expected.every((message, index) => sameMessage(message, known[index]));
  if (same) return;
  const message = `Session "${run.sessionId}" has moved on since the snapshot was taken; the run cannot be resumed. Start a new one.`;
  throw new HooklineError('SNAPSHOT_STALE', message);
}

/** Whatever the order of keys: a store may give them back in another. */
function sameMessage(a: Message, b: Message | undefined): boolean {
  return b !== undefined && canonicalJson(a as unknown as JsonValue) === canonicalJson(b as unknown as JsonValue);
}
