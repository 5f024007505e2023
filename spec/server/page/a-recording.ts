import type { SettledEvent } from 'hookline';

const HEAD = {
  format: 'hookline-recording',
  version: 1,
  events: 1,
  run: { runId: 'big', sessionId: 's', agent: 'writer', depth: 0 },
  redacted: false,
};

/** Returns the first line of a recording, with other fields if given. */
export const head = (other: object = {}): string => `${JSON.stringify({ ...HEAD, ...other })}\n`;

/** Returns the line of an event. */
export const line = (event: object, steps?: readonly object[]): string =>
  `${JSON.stringify({ event, ...(steps && { steps }) })}\n`;

/** Returns the text of a recording of a long run: steps of forty chunks, each with a tool call, and the effects of three hooks. */
export function longRecording(events: number): string {
  const lines: string[] = [head()];
  for (const [seq, { event, steps }] of [...longRun(events)].entries())
    lines.push(line({ seq, time: 1_000_000 + seq * 7, run: HEAD.run, ...event }, steps));
  return lines.join('');
}

type Bare = Pick<SettledEvent, 'type' | 'iteration'> & Readonly<Record<string, unknown>>;

const step = (hook: string, effect: string, more: object = {}) => ({
  hook,
  priority: 100,
  stage: 'on',
  effect,
  ms: 0.2,
  ...more,
});
const steps = (changed: boolean) => [
  step('guard', 'passed'),
  changed
    ? step('path-jail', 'changed', {
        paths: ['toolCall.input.path'],
        changes: [{ path: 'toolCall.input.path', before: '../a/b/c.txt', after: 'b/c.txt' }],
      })
    : step('path-jail', 'passed'),
  step('audit', 'passed'),
];

function* longRun(events: number): Generator<{ event: Bare; steps?: readonly object[] }> {
  const user = { role: 'user', parts: [{ type: 'text', text: 'Go through all files.' }] };
  yield { event: { type: 'preCall', iteration: 0, messages: [user] }, steps: steps(false) };
  let told = 1;
  for (let iteration = 1; told < events - 45; iteration += 1) {
    const toolCall = { id: `c${iteration}`, name: 'read_file', input: { path: 'b/c.txt' } };
    const base = { iteration, toolCall };
    yield {
      event: { type: 'preReasoning', iteration, purpose: 'step', attempt: 1, messages: [user], tools: [], options: {} },
      steps: steps(false),
    };
    for (let at = 0; at < 40; at += 1)
      yield {
        event: {
          type: 'reasoningChunk',
          iteration,
          part: 'text',
          delta: `word ${at} `,
          block: 0,
          attempt: 1,
          last: at === 39,
        },
      };
    const message = {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'words' },
        { type: 'toolCall', toolCall },
      ],
    };
    yield {
      event: { type: 'postReasoning', iteration, purpose: 'step', message, finishReason: 'toolCalls' },
      steps: steps(false),
    };
    yield {
      event: { type: 'preActing', ...base, permission: 'read', description: '' },
      steps: steps(iteration % 5 === 0),
    };
    const result = { content: 'text', isError: false };
    yield {
      event: { type: 'postActing', ...base, permission: 'read', result, outcome: 'executed', durationMs: 1 },
      steps: steps(false),
    };
    told += 44;
  }
  for (; told < events - 1; told += 1)
    yield {
      event: { type: 'reasoningChunk', iteration: 0, part: 'text', delta: 'end ', block: 1, attempt: 1, last: false },
    };
  yield { event: { type: 'postCall', iteration: 0, outcome: 'completed' }, steps: steps(false) };
}
