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
  type PostCall,
  pendingCalls,
  retry,
  type SettledEvent,
  verdict,
} from 'hookline';
import { runRecorder } from 'hookline/hooks';
import { type ScriptTurn, scriptedModel, scriptedTool } from 'hookline/testing';
import { type Observable, Subject, VirtualTimeScheduler } from 'rxjs';
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

/** A turn that does not end the run. */
const acting = fc.record({
  chunks: fc.constant(['I look. ']),
  toolCalls: fc.array(call, { minLength: 1, maxLength: 3 }),
});

/** What a random model says, and which hooks its agent has. */
const anyRecording = fc.record({
  turns: fc.array(fc.oneof({ arbitrary: turn, weight: 2 }, { arbitrary: acting, weight: 3 }), {
    minLength: 1,
    maxLength: 4,
  }),
  hooks: fc.uniqueArray(
    fc.constantFrom(...(['deny', 'rewrite', 'redact', 'repeat', 'answer', 'chunks', 'stop', 'ask'] as const)),
  ),
  delayMs: fc.constantFrom(0, 2),
  maxIterations: fc.constantFrom(2, 10),
  /** Messages of the user, each after an event. */
  steering: fc.array(fc.record({ after: fc.nat(24), text: fc.constantFrom('Wait.', 'Go on.') }), { maxLength: 2 }),
  /** The answers to the calls that the hook `ask` suspends, in order. A call without an answer is suspended again. */
  answers: fc.array(
    fc.oneof(
      fc.constant({ approved: true }),
      fc.constant({ approved: true, input: { at: 'v' } }),
      fc.constant({ approved: false, reason: 'not now' }),
      fc.constant(undefined),
    ),
    { maxLength: 3 },
  ),
});
/** A random agent. The recording of a resumed run does not have the number of retries before it, so that a replay would allow more. */
export const randomRecording = anyRecording.map((plan) => ({
  ...plan,
  hooks:
    plan.answers.length > 0 && plan.hooks.includes('ask') ? plan.hooks.filter((hook) => hook !== 'repeat') : plan.hooks,
}));
export type RecordedPlan = typeof randomRecording extends fc.Arbitrary<infer T> ? T : never;

/** A run whose resumption is suspended again, which few random ones are. */
export const suspendedTwice: RecordedPlan = {
  turns: [
    {
      chunks: ['I look. '],
      toolCalls: [
        { name: 'drop', input: { at: 'x' } },
        { name: 'drop', input: { at: 'y' } },
      ],
    },
    { chunks: ['Look'] },
  ],
  hooks: ['ask'],
  delayMs: 0,
  maxIterations: 10,
  steering: [],
  answers: [{ approved: true }, undefined],
};

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
  ask: () =>
    defineHook({
      name: 'ask',
      approve: ({ toolCall }) => (toolCall.name === 'drop' ? verdict.suspend('May it?') : verdict.allow()),
    }),
  stop: () =>
    defineHook({
      name: 'stop',
      on: { postActing: (event) => (event.toolCall.name === 'peek' ? finish(event) : undefined) },
    }),
};

/** Runs a random agent, and returns its recording. */
export async function recordPlan(
  { turns, hooks, delayMs, maxIterations, steering = [], answers = [] }: RecordedPlan,
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
  const play = (start: (steering$: Subject<string>) => Observable<SettledEvent>, all: RecordedPlan['steering']) => {
    const steering$ = new Subject<string>();
    let post: SettledEvent | undefined;
    start(steering$).subscribe((event) => {
      post = event;
      for (const { after, text } of all) if (event.seq === after) steering$.next(text);
    });
    scheduler.flush();
    return post as SettledEvent<PostCall>;
  };
  const [first, ...later] = answers.length > 0 ? steering : [];
  const post = play(
    (steering$) => agent.run('Look at it.', { userId: 'ann', sessionId: 's', steering$ }),
    first ? [first] : answers.length > 0 ? [] : steering,
  );
  if (post.snapshot && answers.length > 0) {
    const given = pendingCalls(post.snapshot).flatMap(({ key }, at) => (answers[at] ? [[key, answers[at]]] : []));
    const { snapshot } = post;
    play((steering$) => agent.resume(snapshot, Object.fromEntries(given), { steering$ }), later);
  }
  // The last run is the resumed one.
  const recordings = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readReplayable(join(folder, name)));
  const recording = recordings.find(({ head }) => head.run.resumedFrom !== undefined) ?? recordings[0];
  if (!recording) throw new Error('nothing was recorded');
  return { folder, file: recording.file, hooks: given, recording };
}
