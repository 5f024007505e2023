import type { GateEvent, HookEvent } from '../../events/hook-event.ts';
import { systemMessage, userMessage } from '../../events/parts/messages.ts';
import { anEvent } from '../an-event.ts';
import { toolCall } from '../tool-call.ts';

/** One MiB of text. */
export const HUGE: string = 'All work and no play. '.repeat(50_000).slice(0, 1 << 20);

/** A text with typical content: lines, punctuation, numbers, and characters of several units. */
export const TEXT =
  'Dear Zoë, the key is sk-test-4242424242424242 & costs 3.50 €.\n\n\tSee <https://example.org/?q=1> 👩‍👩‍👧 "soon".';

const calls = [
  toolCall('bash', { command: 'ls -la' }),
  toolCall('write_file', { path: 'a.txt', text: TEXT }, 'call_2'),
];
const calling = {
  role: 'assistant' as const,
  parts: [{ type: 'text' as const, text: TEXT }, ...calls.map((one) => ({ type: 'toolCall' as const, toolCall: one }))],
};
const results = {
  role: 'tool' as const,
  parts: [
    { type: 'toolResult' as const, toolCallId: 'call_1', toolName: 'bash', result: { content: TEXT, isError: false } },
  ],
};
const tool = {
  name: 'bash',
  description: 'Runs a command.',
  inputSchema: { type: 'object' },
  permission: 'external' as const,
};
const messages = [systemMessage('Be brief.'), userMessage(TEXT), calling, results];

/** Gate events of every type, ordinary, empty and huge, that a hook should support. */
export const sampleGates: readonly GateEvent[] = [
  anEvent.preCall(TEXT),
  anEvent.preCall(undefined, { messages: [] }),
  anEvent.preCall(HUGE),
  anEvent.preReasoning({ messages, tools: [tool], model: 'model-1', options: { temperature: 0 } }),
  anEvent.preReasoning({ messages: [] }),
  anEvent.preReasoning({ messages: [userMessage(HUGE)] }),
  anEvent.postReasoning(TEXT, { usage: { inputTokens: 10, outputTokens: 5 } }),
  anEvent.postReasoning(calling),
  anEvent.postReasoning({ role: 'assistant', parts: [] }),
  anEvent.postReasoning(HUGE),
  anEvent.preActing('bash', { command: 'ls -la' }, { description: 'Runs a command.' }),
  anEvent.preActing('unknown', {}),
  anEvent.preActing(
    'write_file',
    { path: '', nested: { list: [1, null, true, { deep: TEXT }] } },
    { permission: 'write' },
  ),
  anEvent.preActing('write_file', { text: HUGE }, { permission: 'write' }),
  anEvent.postActing(TEXT),
  anEvent.postActing(''),
  anEvent.postActing({ content: 'failed', isError: true }, { outcome: 'failed' }),
  anEvent.postActing({
    content: HUGE,
    isError: false,
    forUser: TEXT,
    media: [{ url: 'media://1' }],
    artifactTags: ['a'],
  }),
  anEvent.postCall(TEXT, { usage: { inputTokens: 10, outputTokens: 5 } }),
  anEvent.postCall(undefined, { outcome: 'aborted', reason: 'hook "x": no' }),
  anEvent.postCall(HUGE),
  anEvent.callError('the store is down'),
  anEvent.reasoningError('the model is busy'),
  anEvent.reasoningError('late', { source: 'hook', hook: 'other' }),
  anEvent.actingError('no such file'),
];

/** One event of every chunk type and part. */
export const sampleChunks: readonly HookEvent[] = [
  anEvent.text(TEXT),
  anEvent.thinking(TEXT),
  anEvent.toolInput('{"command":"ls"}'),
  anEvent.actingChunk(TEXT),
];
