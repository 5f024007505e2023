import type { InboxChange } from '../../../hooks/asking/inbox.ts';
import type { AgUiEvent } from '../ag-ui-event.ts';

/** A pending call inside a running run. It is answered through the inbox or the host's API, not with the next request. */
export function approvalEvent({ call, ...change }: InboxChange, toolCallId: string): AgUiEvent {
  const { id, tool, input, prompt, by, hash, expiresAt } = call;
  if (change.type === 'waiting') {
    const value = { id, toolCallId, tool, input, prompt, by, hash, expiresAt };
    return { type: 'CUSTOM', name: 'hooks.approval.requested', value };
  }
  const { winner } = change;
  const answered = winner && { action: winner.action, by: winner.by, at: winner.at };
  return { type: 'CUSTOM', name: 'hooks.approval.resolved', value: { id, toolCallId, ...answered } };
}
