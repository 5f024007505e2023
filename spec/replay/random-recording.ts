import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  createAgent,
  createPipeline,
  defineHook,
  deny,
  finish,
  type Hook,
  type Message,
  modify,
  type PipelineOptions,
  retry,
} from 'hookline';
import { runRecorder } from 'hookline/hooks';
import { type ScriptTurn, scriptedModel, scriptedTool } from 'hookline/testing';
import { VirtualTimeScheduler } from 'rxjs';
import { readReplayable } from '../../lib/replay/read-run.ts';

const call = fc.record({
  name: fc.constantFrom('look', 'peek', 'drop', 'fail'),
  input: fc.record({ at: fc.constantFrom('x', 'y', 'z') }),
});
const turn = fc.record(
  {
    thinking: fc.constantFrom('hm', 'so'),
    chunks: fc.array(fc.constantFrom('Look', 'ing ', 'at it. ', 'bad '), { minLength: 1, maxLength: 3 }),
    toolCalls: fc.array(call, { minLength: 1, maxLength: 3 }),
    error: fc.constantFrom('model down'),
  },
  { requiredKeys: ['chunks'] },
);

/** A random agent: what its model says, and which hooks it has. */
export const randomRecording = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
  hooks: fc.uniqueArray(
    fc.constantFrom(...(['deny', 'rewrite', 'redact', 'repeat', 'answer', 'chunks', 'stop'] as const)),
  ),
  delayMs: fc.constantFrom(0, 2),
  maxIterations: fc.constantFrom(2, 10),
});
export type RecordedPlan = typeof randomRecording extends fc.Arbitrary<infer T> ? T : never;

const withText = (message: Message, change: (text: string) => string): Message => ({
  ...message,
  parts: message.parts.map((part) => (part.type === 'text' ? { ...part, text: change(part.text) } : part)),
});

/** Hooks by name, which decide by their event alone. */
export const hooksByName: Readonly<Record<RecordedPlan['hooks'][number], () => Hook>> = {
  deny: () =>
    defineHook({
      name: 'deny',
      on: { preActing: (event) => (event.toolCall.name === 'drop' ? deny(event, 'never') : undefined) },
    }),
  rewrite: () =>
    defineHook({
      name: 'rewrite',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { at: 'w' } } }) },
    }),
  redact: () =>
    defineHook({
      name: 'redact',
      on: {
        preCall: (event) =>
          modify(event, { messages: event.messages.map((one) => withText(one, (text) => text.replace('it', 'this'))) }),
        postReasoning: (event) =>
          modify(event, { message: withText(event.message, (text) => text.replaceAll('bad', '***')) }),
        postActing: (event) => modify(event, { result: { ...event.result, content: `${event.result.content}!` } }),
      },
    }),
  repeat: () =>
    defineHook({
      name: 'repeat',
      on: { error: (event) => (event.phase === 'call' || event.iteration > 2 ? undefined : retry(event)) },
    }),
  answer: () =>
    defineHook({
      name: 'answer',
      on: {
        preReasoning: (event) =>
          modify(event, {
            messages: [
              ...event.messages,
              { role: 'user', parts: [{ type: 'text', text: 'Be brief.' }], origin: 'answer' },
            ],
          }),
      },
    }),
  chunks: () =>
    defineHook({
      name: 'chunks',
      on: { reasoningChunk: (event) => modify(event, { delta: event.delta.toUpperCase() }) },
    }),
  stop: () =>
    defineHook({
      name: 'stop',
      on: { postActing: (event) => (event.toolCall.name === 'peek' ? finish(event) : undefined) },
    }),
};

/** Runs a random agent, and returns its recording. */
export async function recordPlan(
  { turns, hooks, delayMs, maxIterations }: RecordedPlan,
  { raw = true, redact = false, more = [] as readonly Hook[] } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-spec-'));
  const scheduler = new VirtualTimeScheduler();
  const options: PipelineOptions = { scheduler, log: { debug() {}, info() {}, warn() {}, error() {} } };
  const given = [...hooks.map((name) => hooksByName[name]()), ...more];
  const slow = { delayMs, scheduler };
  const agent = createAgent({
    name: 'main',
    model: scriptedModel(
      [...turns, { chunks: ['Done', '.'] }, { text: 'More.' }, { text: 'Still.' }] as ScriptTurn[],
      slow,
    ),
    tools: [
      scriptedTool({ name: 'look', permission: 'read', chunks: ['1', '2'], result: 'seen', ...slow }),
      scriptedTool({
        name: 'peek',
        permission: 'read',
        result: { content: 'a peek', isError: false, forUser: 'look' },
      }),
      scriptedTool({ name: 'drop', permission: 'write', result: 'dropped', ...slow }),
      scriptedTool({ name: 'fail', permission: 'read', error: { name: 'TypeError', message: 'broken' } }),
    ],
    pipeline: createPipeline([...given, runRecorder({ folder, raw, redact })], options),
    instructions: 'Be kind.',
    maxIterations,
  });
  agent.run('Look at it.', { userId: 'ann' }).subscribe();
  scheduler.flush();
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl')) as string);
  return { folder, file, hooks: given, recording: readReplayable(file) };
}
