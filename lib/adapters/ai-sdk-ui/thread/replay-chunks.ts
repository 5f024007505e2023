import { type ChatReplay, NOT_DONE, type ReplayedCall } from '../../../chat/thread-view.ts';
import type { UiMessageChunk } from '../ui-message-chunk.ts';
import { toUiMessages, type UiThreadOptions } from './to-ui-messages.ts';
import { isToolPart, type UiThreadMessage, type UiThreadPart } from './ui-thread-message.ts';

/** The output of a sub-agent's call, whose result only the sub-agent has. */
const OF_SUBAGENT = 'The result went to the sub-agent.';

/** Returns the chunks of answered calls and of the messages after them. They continue the message that contains the calls. */
export function replayChunks(
  replay: ChatReplay,
  messageId: string,
  options: Omit<UiThreadOptions, 'pending' | 'prefix'>,
): readonly UiMessageChunk[] {
  const { id, calls, messages, pending, complete } = replay;
  const parts = toUiMessages(messages, { ...options, pending, prefix: id }).flatMap((message) => message.parts);
  const steps = parts.some(({ type }) => type === 'step-start');
  return [
    { type: 'start', messageId },
    ...calls.flatMap(outputOf),
    ...parts.flatMap((part, index) => chunksOf(part, `${id}-${index}`, index > 0)),
    ...(steps ? [{ type: 'finish-step' } as const] : []),
    complete
      ? {
          type: 'finish',
          ...(options.version > 5 && { finishReason: pending.calls.length > 0 ? 'tool-calls' : 'stop' }),
        }
      : {
          type: 'error',
          errorText: `The run has not ended in this process (${id}). Load the thread again, or send a new message.`,
        },
  ];
}

/**
 * Returns the chunks of the message that a resumed run continues, for clients that build the message from the stream. The stream of the run contains
 * the calls that it continues with. Settled calls are dynamic, because `onToolCall` must not run them again.
 */
export function begunChunks({ parts }: UiThreadMessage, messageId: string): readonly UiMessageChunk[] {
  const settled = parts
    .filter((part) => !isToolPart(part) || part.state !== 'input-available')
    .map((part): UiThreadPart => {
      if (!isToolPart(part) || part.type === 'dynamic-tool') return part;
      return { ...part, type: 'dynamic-tool', toolName: part.type.slice('tool-'.length) };
    });
  return [
    { type: 'start', messageId },
    ...settled.flatMap((part, index) => chunksOf(part, `${messageId}-${index}`, index > 0)),
    { type: 'finish-step' },
  ];
}

/** A call without a result is pending again, or its run has not ended. */
function outputOf({ key, client, result, inner }: ReplayedCall): readonly UiMessageChunk[] {
  const kind = client ? {} : { dynamic: true as const };
  if (result?.isError) return [{ type: 'tool-output-error', toolCallId: key, errorText: NOT_DONE, ...kind }];
  const output = result?.content ?? (inner ? OF_SUBAGENT : undefined);
  return output === undefined ? [] : [{ type: 'tool-output-available', toolCallId: key, output, ...kind }];
}

function chunksOf(part: UiThreadPart, id: string, inStep: boolean): readonly UiMessageChunk[] {
  if (isToolPart(part)) return callChunks(part);
  switch (part.type) {
    case 'step-start':
      return [...(inStep ? [{ type: 'finish-step' } as const] : []), { type: 'start-step' }];
    case 'text': {
      const { text } = part as Extract<UiThreadPart, { type: 'text' }>;
      return [
        { type: 'text-start', id },
        { type: 'text-delta', id, delta: text },
        { type: 'text-end', id },
      ];
    }
    case 'file':
      return [part as Extract<UiThreadPart, { type: 'file' }>];
    default:
      return [part as Extract<UiThreadPart, { type: `data-${string}` }>];
  }
}

function callChunks(part: Extract<UiThreadPart, { toolCallId: string }>): readonly UiMessageChunk[] {
  const { toolCallId, input, state, output, errorText, approval } = part;
  const dynamic = part.type === 'dynamic-tool';
  const kind = dynamic ? { dynamic: true as const } : {};
  const toolName = dynamic ? (part as { toolName: string }).toolName : part.type.slice('tool-'.length);
  const chunks: UiMessageChunk[] = [{ type: 'tool-input-available', toolCallId, toolName, input, ...kind }];
  if (approval) chunks.push({ type: 'tool-approval-request', approvalId: approval.id, toolCallId });
  if (state === 'output-error')
    chunks.push({ type: 'tool-output-error', toolCallId, errorText: errorText ?? NOT_DONE, ...kind });
  if (state === 'output-available')
    chunks.push({ type: 'tool-output-available', toolCallId, output: output ?? '', ...kind });
  return chunks;
}
