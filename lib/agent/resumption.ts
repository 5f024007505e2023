import { HooklineError } from '../errors.ts';
import type { JsonObject } from '../events/json-value.ts';
import type { Message } from '../events/message.ts';
import { toJson } from '../events/to-json.ts';
import type { Batch, BatchCall } from './act-batch.ts';
import { closeOrphans, toolMessage } from './close-orphans.ts';
import type { Conversation } from './conversation.ts';
import type { Answer, Answers, PendingCall, Snapshot } from './snapshot.ts';

/** Where a resumed run goes on: the message whose calls are pending, those calls, and what has settled of the batch. */
export interface Resumption {
  readonly message: Message;
  readonly calls: readonly BatchCall[];
  readonly batch: Batch;
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
  else conversation.remember(...closeOrphans([...snapshot.transcript, ...settledMessage(snapshot)]));
  return {
    message: conversation.messages[snapshot.transcript.length - 1] as Message,
    calls: snapshot.pending.map((call) => toBatchCall(call, answers)),
    batch: {
      results: [...snapshot.settled],
      pending: [],
      abort: undefined,
      finishing: snapshot.finishing,
      handled: snapshot.settled.every(({ result }) => result.handled === true),
    },
  };
}

function settledMessage({ settled }: Snapshot): readonly Message[] {
  return settled.length > 0 ? [toolMessage(settled)] : [];
}

function toBatchCall({ key, toolCall, judged, by, child }: PendingCall, answers: Answers): BatchCall {
  if (child)
    return { key, toolCall, acting: { child: { snapshot: child, answers: answers as unknown as JsonObject } } };
  const answer: Answer | undefined = answers[key];
  if (!answer || !judged) return { key, toolCall };
  const { approved, reason, input } = answer;
  const shown = input ? { ...judged, input: toJson(input, 'answer.input') as JsonObject } : judged;
  return {
    key,
    toolCall,
    ...(input && { edited: { ...shown, id: toolCall.id } }),
    acting: { answer: { approved, ...(reason !== undefined && { reason }), by: by ?? 'approver', judged: shown } },
  };
}

/** Compares all but the results of the pending batch: the store closes open calls its own way. */
function assertSame(known: readonly Message[], { transcript, run }: Snapshot): void {
  const beyond = known.slice(transcript.length);
  const same =
    transcript.every((message, index) => JSON.stringify(message) === JSON.stringify(known[index])) &&
    (beyond.length === 0 || (beyond.length === 1 && beyond[0]?.role === 'tool'));
  if (same) return;
  const message = `Session "${run.sessionId}" has moved on since the snapshot was taken; the run cannot be resumed. Start a new one.`;
  throw new HooklineError('SNAPSHOT_STALE', message);
}
