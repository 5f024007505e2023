import type { SettledEvent } from '../../../events/hook-event.ts';
import type { FinishReason } from '../../../events/parts/finish-reason.ts';
import type { PostCall } from '../../../events/post-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { UiFinishReason, UiMessageChunk } from '../ui-message-chunk.ts';

const REASONS: Record<FinishReason, UiFinishReason> = {
  stop: 'stop',
  toolCalls: 'tool-calls',
  length: 'length',
  contentFilter: 'content-filter',
  responded: 'stop',
  stopped: 'stop',
  other: 'other',
};

/** Returns the last chunks of a stream. `last` is the finish reason of the last model step. `errorText` is sent if the run failed. */
export function endingOf(
  { outcome, usage, reason }: SettledEvent<PostCall>,
  last: FinishReason,
  version: number,
  errorText: () => string,
  rolledBack: boolean,
): readonly UiMessageChunk[] {
  const why = outcome === 'aborted' && reason !== undefined ? { reason } : {};
  const messageMetadata: JsonObject = {
    hookline: { outcome, ...why, ...(rolledBack && { rolledBack }), ...(usage && { usage }) },
  };
  if (outcome === 'failed')
    return [
      { type: 'message-metadata', messageMetadata },
      { type: 'error', errorText: errorText() },
    ];
  if (outcome === 'aborted' || outcome === 'cancelled')
    return [{ type: 'message-metadata', messageMetadata }, { type: 'abort' }];
  const finishReason = outcome === 'suspended' ? 'tool-calls' : REASONS[last];
  // Version 5 does not accept a finish reason.
  return [{ type: 'finish', ...(version > 5 && { finishReason }), messageMetadata }];
}
