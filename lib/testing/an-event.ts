import type { ActingError, CallError, ReasoningError } from '../events/error-event.ts';
import type { EventOf, HookEvent, SettledEvent } from '../events/hook-event.ts';
import type { MessageInput } from '../events/parts/message.ts';
import { toMessage, toolCallsOf, userMessage } from '../events/parts/messages.ts';
import { type ToolResultInput, toolResult } from '../events/parts/tool-result.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import { buildEvent } from './build-event.ts';
import { toolCall } from './tool-call.ts';

type Own<E extends HookEvent> = Partial<Omit<E, 'type'>>;

const chunk = { part: 'text', delta: '', block: 0, attempt: 1, last: false } as const;
const call = toolCall('bash', { command: 'ls' });
const bash = { toolCall: call, permission: 'external' } as const;
const failure = (message: string) => ({ name: 'Error', message });

/**
 * Builders of valid, frozen events for specs. Fields after the main argument override defaults. As an expected value, a built event is compared only
 * by the fields that were passed.
 */
export const anEvent = {
  preCall: (input?: MessageInput, own: Own<EventOf<'preCall'>> = {}) =>
    buildEvent<'preCall'>(
      { type: 'preCall', ...(input !== undefined && { messages: [toMessage(input, 'user')] }), ...own },
      { messages: [userMessage('hi')] },
    ),

  preReasoning: (own: Own<EventOf<'preReasoning'>> = {}) =>
    buildEvent<'preReasoning'>(
      { type: 'preReasoning', ...own },
      { purpose: 'step', attempt: 1, messages: [userMessage('hi')], tools: [], options: {} },
    ),

  text: (delta: string, own: Own<EventOf<'reasoningChunk'>> = {}) =>
    buildEvent<'reasoningChunk'>({ type: 'reasoningChunk', part: 'text', delta, ...own }, chunk),

  thinking: (delta: string, own: Own<EventOf<'reasoningChunk'>> = {}) =>
    buildEvent<'reasoningChunk'>({ type: 'reasoningChunk', part: 'thinking', delta, ...own }, chunk),

  toolInput: (delta: string, own: Own<EventOf<'reasoningChunk'>> = {}) =>
    buildEvent<'reasoningChunk'>(
      { type: 'reasoningChunk', part: 'toolInput', delta, ...own },
      { ...chunk, toolCallId: call.id },
    ),

  /** The empty chunk that ends a block. */
  last: (own: Own<EventOf<'reasoningChunk'>> = {}) =>
    buildEvent<'reasoningChunk'>({ type: 'reasoningChunk', delta: '', last: true, ...own }, chunk),

  postReasoning: (message?: MessageInput, own: Own<EventOf<'postReasoning'>> = {}) => {
    const asked = message === undefined ? {} : { message: toMessage(message, 'assistant') };
    const answer = own.message ?? toMessage(message ?? 'hello', 'assistant');
    return buildEvent<'postReasoning'>(
      { type: 'postReasoning', ...asked, ...own },
      { purpose: 'step', message: answer, finishReason: toolCallsOf(answer).length > 0 ? 'toolCalls' : 'stop' },
    );
  },

  preActing: (name?: string, input?: JsonObject, own: Own<EventOf<'preActing'>> = {}) =>
    buildEvent<'preActing'>(
      { type: 'preActing', ...(name !== undefined && { toolCall: toolCall(name, input) }), ...own },
      { ...bash, description: '' },
      // A call that is expected by name may have any id.
      { type: 'preActing', ...(name !== undefined && { toolCall: { name, ...(input && { input }) } }), ...own },
    ),

  actingChunk: (content: string, own: Own<EventOf<'actingChunk'>> = {}) =>
    buildEvent<'actingChunk'>({ type: 'actingChunk', content, ...own }, { toolCall: call, attempt: 1, last: false }),

  postActing: (result?: ToolResultInput, own: Own<EventOf<'postActing'>> = {}) =>
    buildEvent<'postActing'>(
      { type: 'postActing', ...(result !== undefined && { result: toolResult(result) }), ...own },
      { ...bash, result: toolResult('ok'), outcome: 'executed', durationMs: 0 },
    ),

  postCall: (message?: MessageInput, own: Own<EventOf<'postCall'>> = {}) =>
    buildEvent<'postCall'>(
      { type: 'postCall', ...(message !== undefined && { message: toMessage(message, 'assistant') }), ...own },
      { outcome: 'completed' },
    ),

  callError: (message: string, own: Own<CallError> = {}) =>
    buildEvent<'error'>(
      { type: 'error', phase: 'call', error: failure(message), ...own },
      { source: 'host' },
    ) as CallError,

  reasoningError: (message: string, own: Own<ReasoningError> = {}) =>
    buildEvent<'error'>(
      { type: 'error', phase: 'reasoning', error: failure(message), ...own },
      { source: 'model' },
    ) as ReasoningError,

  actingError: (message: string, own: Own<ActingError> = {}) =>
    buildEvent<'error'>(
      { type: 'error', phase: 'acting', error: failure(message), ...own },
      { source: 'tool', toolCall: call },
    ) as ActingError,

  /** Returns the event after it has settled. */
  settled: <E extends HookEvent>(event: E, seq = 0, time = 0): SettledEvent<E> =>
    Object.freeze<SettledEvent<E>>({ ...event, seq, time }),
};
