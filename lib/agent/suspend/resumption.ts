import { HooklineError } from '../../errors.ts';
import type { Message } from '../../events/parts/message.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { Batch, BatchCall } from '../act-batch.ts';
import { closeOrphans, toolMessage } from '../transcript/close-orphans.ts';
import type { Conversation } from '../transcript/conversation.ts';
import type { Answer, Answers, PendingCall, Snapshot } from './snapshot.ts';
import { answeredCall } from './suspended-call.ts';

/** The point where a resumed run continues: the message with pending calls, those calls, and the settled results of the batch. */
export interface Resumption {
  readonly message: Message;
  /** The index in the conversation after the message. */
  readonly start: number;
  readonly calls: readonly BatchCall[];
  /** The approvers in force when the calls were suspended, by name. */
  readonly approvers: readonly string[];
  readonly batch: Batch;
  /** The user's messages that are not answered yet. */
  readonly steering: readonly Message[];
}

/**
 * Restores the conversation to the point of the snapshot. An empty store, as in another process, is filled from the snapshot. Throws
 * `SNAPSHOT_STALE` if the conversation has continued since.
 */
export function resumeFrom(snapshot: Snapshot, answers: Answers, conversation: Conversation): Resumption {
  const message = snapshot.transcript.at(-1);
  if (!message)
    throw new HooklineError('SNAPSHOT_INVALID', 'The snapshot has no message whose calls could be pending.');
  const known = conversation.messages;
  if (known.length > 0) assertSame(known, snapshot);
  // The pending calls are closed until they run, because the run may end before.
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

/** Returns the conversation of the snapshot, with its pending calls closed. */
function standing({ transcript, settled, steering = [] }: Snapshot): readonly Message[] {
  return closeOrphans([...transcript, ...(settled.length > 0 ? [toolMessage(settled)] : []), ...steering]);
}

function toBatchCall(call: PendingCall, answers: Answers): BatchCall {
  const { key, toolCall, edited, judged, child, childOrder: order } = call;
  const start = edited ? { edited } : {};
  if (child) {
    const nested = {
      snapshot: child,
      ...(order !== undefined && { order }),
      answers: answers as unknown as JsonObject,
    };
    return { key, toolCall, ...start, acting: { child: nested, ...answeredCall(call) } };
  }
  const answer: Answer | undefined = answers[key];
  if (!answer || !judged) return { key, toolCall, ...start, acting: answeredCall(call) };
  const { approved, reason, input } = answer;
  const shown = input ? { ...judged, input: toJson(input, 'answer.input') as JsonObject } : judged;
  const given = { approved, ...(reason !== undefined && { reason }), judged: shown };
  return {
    key,
    toolCall,
    ...start,
    ...(input && { edited: { ...shown, id: toolCall.id } }),
    acting: answeredCall(call, given),
  };
}

/** The store may contain the snapshot's conversation, with the pending calls open or closed. Any other content is newer. */
function assertSame(known: readonly Message[], snapshot: Snapshot): void {
  const { run } = snapshot;
  const expected = standing(snapshot);
  const same =
    known.length === expected.length && expected.every((message, index) => sameMessage(message, known[index]));
  if (same) return;
  const message = `Session "${run.sessionId}" has advanced since the snapshot; the run cannot be resumed. Start a new run.`;
  throw new HooklineError('SNAPSHOT_STALE', message);
}

/** Compares without the order of keys, because a store may change it. */
function sameMessage(a: Message, b: Message | undefined): boolean {
  return b !== undefined && canonicalJson(a as unknown as JsonValue) === canonicalJson(b as unknown as JsonValue);
}
