import { Observable } from 'rxjs';
import { callKey, resumedKeys } from '../../agent/suspend/resumed-keys.ts';
import type { ChatRun } from '../../chat/chat.ts';
import type { Inbox, InboxCall } from '../../hooks/asking/inbox.ts';
import { createMapping } from './mapping/mapping.ts';
import type { MappingOptions } from './mapping/mapping-options.ts';
import type { WaitingCall } from './mapping/suspended-calls.ts';
import type { UiMessageChunk } from './ui-message-chunk.ts';

/** Maps the run of a chat to chunks, from its start, including calls that are pending inside it. */
export function showRun(
  run: ChatRun,
  options: Omit<MappingOptions, 'resumed' | 'waiting'>,
  inbox?: Pick<Inbox, 'list' | 'changes$'>,
): Observable<UiMessageChunk> {
  const resolved: MappingOptions = {
    ...options,
    resumed: run.resumes ? resumedKeys(run.resumes) : new Map(),
    waiting: run.waiting,
  };
  return new Observable((subscriber) => {
    const mapping = createMapping(resolved, (chunk) => subscriber.next(chunk));
    const changes = inbox?.changes$.subscribe((change) => {
      if (change.type === 'waiting') mapping.wait(change.call.run, toWaiting(change.call));
      else mapping.answer(toWaiting(change.call), change.winner?.action ?? 'expired');
    });
    subscriber.add(changes);
    const end = (): void => {
      mapping.end();
      subscriber.complete();
    };
    subscriber.add(run.events$.subscribe({ next: (event) => mapping.take(event), error: end, complete: end }));
    // Calls that became pending before the stream was opened.
    for (const call of inbox?.list() ?? []) mapping.wait(call.run, toWaiting(call));
  });
}

function toWaiting({ run, id, toolCallId, tool, input, prompt, by, hash, expiresAt }: InboxCall): WaitingCall {
  const key = callKey(run.runId, toolCallId);
  return { key, id, toolCallId, tool, input, agent: run.agent, prompt, by, hash, expiresAt, inline: true };
}
