import type { Observable } from 'rxjs';
import type { Abort } from '../../events/decisions/decision.ts';
import type { Message } from '../../events/parts/message.ts';
import type { PostReasoning } from '../../events/post-reasoning.ts';
import type { Batch, BatchCall } from '../act-batch.ts';
import { closeOrphans, resultPart, resultsMessage } from '../transcript/close-orphans.ts';
import type { Conversation } from '../transcript/conversation.ts';

/** A reply of the model, as far as the loop needs it. */
export type Reply = Pick<PostReasoning, 'message' | 'decision' | 'finishReason'>;

/** The calls of a reply that have no result yet, the results of the others, and messages of the user that follow them. */
export interface OpenCalls {
  readonly calls: readonly BatchCall[];
  readonly batch: Batch;
  readonly steering: readonly Message[];
}

/** Where a run that was cut off continues. */
export interface Recovery {
  /** The index in the conversation of the first message of the run. */
  readonly start: number;
  /** The last reply of the model, unless the run has continued after it. */
  readonly reply: Reply | undefined;
  /** The index in the conversation of the reply. */
  readonly at: number;
  /** The state of the calls of the reply; undefined if it has none. */
  readonly open: OpenCalls | undefined;
  /** The decision that was about to end the run. */
  readonly abort: Abort | undefined;
  /** Whether the last model step was the one without tools. */
  readonly summary: boolean;
}

/**
 * Writes the reply with the results that are known, before other calls run. If this run is cut off, too, its journal does not contain them. Calls
 * that may run stay open in the store, like those of a suspended run.
 */
export function storeOpen(
  conversation: Conversation,
  { at, reply, open, abort }: Recovery,
): Observable<never> | undefined {
  if (!reply || !open) return undefined;
  const { calls, batch, steering } = open;
  const closed = calls.flatMap(({ toolCall, acting }) => (acting?.result ? [resultPart(toolCall, acting.result)] : []));
  const parts = [...batch.results, ...closed];
  conversation.cut(at);
  const results = parts.length > 0 ? [resultsMessage(reply.message, parts)] : [];
  const known = [reply.message, ...results];
  // A decision that keeps the calls from running is not in the journal of this run.
  const mayRun = !abort && reply.decision === undefined;
  conversation.remember(...(mayRun ? known : closeOrphans(known)), ...steering);
  return conversation.commit();
}

/** Returns the messages of the reply with a result for each call, in case the run ends before they run. */
export function standing({ message }: Reply, { batch, steering }: OpenCalls): readonly Message[] {
  const results = batch.results.length > 0 ? [resultsMessage(message, batch.results)] : [];
  return [...closeOrphans([message, ...results]), ...steering];
}
