import type { EventOf, SettledEvent } from '../../lib/events/hook-event.ts';
import { assistantMessage, userMessage } from '../../lib/events/parts/messages.ts';
import type { JsonObject } from '../../lib/events/values/json-value.ts';

const run = { runId: 'run-1', sessionId: 'session-1', userId: 'user-1', agent: 'main', parentRunId: 'run-0', depth: 1 };
const base = { run, iteration: 2, seq: 7, time: Date.UTC(2026, 3, 4, 14, 56, 27) };
const bash = { id: 'call-1', name: 'bash', input: { command: 'ls' } };
const usage = { inputTokens: 10, outputTokens: 3 };

/** Settled events of one run; specs vary them by spreading. */
export const preCall: SettledEvent<EventOf<'preCall'>> = {
  type: 'preCall',
  ...base,
  messages: [userMessage('PROMPT')],
};

export const postReasoning: SettledEvent<EventOf<'postReasoning'>> = {
  type: 'postReasoning',
  ...base,
  purpose: 'step',
  message: { role: 'assistant', parts: [...assistantMessage('ANSWER').parts, { type: 'toolCall', toolCall: bash }] },
  usage,
  finishReason: 'toolCalls',
};

export const reasoningChunk: SettledEvent<EventOf<'reasoningChunk'>> = {
  type: 'reasoningChunk',
  ...base,
  part: 'text',
  delta: 'ANSWER',
  block: 0,
  attempt: 1,
  last: false,
};

export const preActing: SettledEvent<EventOf<'preActing'>> = {
  type: 'preActing',
  ...base,
  toolCall: bash,
  permission: 'external',
  description: 'Runs a command.',
};

export const postActing: SettledEvent<EventOf<'postActing'>> = {
  type: 'postActing',
  ...base,
  toolCall: bash,
  permission: 'external',
  result: { content: 'OUTPUT', isError: false },
  outcome: 'executed',
  durationMs: 12,
};

export const actingError: SettledEvent<EventOf<'error'>> = {
  type: 'error',
  ...base,
  phase: 'acting',
  source: 'tool',
  toolCall: bash,
  error: { name: 'RangeError', message: 'too far', code: 'E_FAR', cause: { name: 'Error', message: 'the map ends' } },
};

export const postCall: SettledEvent<EventOf<'postCall'>> = {
  type: 'postCall',
  ...base,
  outcome: 'completed',
  message: assistantMessage('ANSWER'),
  usage,
};

/** A preActing event for tool `name` with `input`. */
export function calling(name: string, input: JsonObject): SettledEvent<EventOf<'preActing'>> {
  return { ...preActing, toolCall: { id: 'call-1', name, input } };
}
