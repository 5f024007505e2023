import { expect } from 'chai';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { toUiMessageStream } from '../../../lib/adapters/ai-sdk-ui/index.ts';
import { rollsBack } from '../../../lib/events/decisions/abort.ts';
import { type SettledEvent, textOf, toolCallsOf } from '../../../lib/index.ts';
import { randomPlan } from '../../agent/random/random-plan.ts';
import { runWorld } from '../../agent/random/random-world.ts';
import { clients } from './clients.ts';
import { expectSettled, visibleTexts } from './expect-settled.ts';
import { show } from './show.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 10_000 : 200;
const CUTS = ['none', 'error', 'cancel', 'suspension'] as const;

describe('the UI message stream of random agents', () => {
  it(`is valid for every client after an error, a cancellation or a suspension, ${RUNS} times`, async function () {
    this.timeout(0);
    const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2_147_483_647);
    const taken = new Set<string>();
    const property = fc.asyncProperty(
      randomPlan,
      fc.constantFrom(...clients.keys()),
      fc.constantFrom(...CUTS),
      fc.nat(),
      fc.boolean(),
      fc.option(randomPlan),
      async (plan, which, cut, at, buffer, childPlan) => {
        const client = clients[which] as (typeof clients)[number];
        const { runs } = runWorld(plan, () => {});
        const child = childPlan ? runWorld(childPlan, () => {}).runs[0] : undefined;
        // A run that was cancelled at once has no events.
        for (const own of runs.filter(({ length }) => length > 0)) {
          const run = child ? withChild(own, child, at) : own;
          if (run !== own) taken.add('child');
          const events = cut === 'none' ? run : cutOff(run, 1 + (at % Math.max(1, run.length - 1)), cut);
          const options = { version: client.version, buffer, hooks: at % 2 === 0 };
          const chunks = await lastValueFrom(from(events).pipe(toUiMessageStream(options), toArray()));
          for (const { type } of chunks) taken.add(type.startsWith('data-') ? type : `${client.version} ${type}`);
          const shown = await show(client, chunks);
          expectSettled(shown, chunks);
          // Rolled back content was shown and is now hidden.
          if (events.some(rollsBack)) continue;
          if (cut === 'none') expectAnswer(own, visibleTexts(shown));
          if (cut === 'none' && child && run !== own) expectAnswer(child.slice(0, -1), visibleTexts(shown, 'child'));
          if (buffer)
            expect(chunks.filter(({ type }) => type === 'data-retracted' || type === 'reset-step')).to.deep.equal([]);
        }
      },
    );
    const missing = () => MUST_COME.filter((type) => !taken.has(type));
    // The rarest may need more runs.
    for (let round = 0; round === 0 || (round < 5 && missing().length > 0); round += 1)
      await fc.assert(property, { numRuns: RUNS, seed: seed + round });
    expect(missing(), `chunks that no run has sent (seed ${seed})`).to.deep.equal([]);
  });
});

/** The events of a run mixed with those of another as its sub-agent, at any point with possible tool calls. */
function withChild(
  run: readonly SettledEvent[],
  events: readonly SettledEvent[],
  seed: number,
): readonly SettledEvent[] {
  const [first] = run;
  if (!first) return run;
  const children = events.map((event) => {
    const runId = `child-${event.run.runId}`;
    const own = { ...event.run, runId, parentRunId: first.run.runId, depth: 1, agent: 'child' };
    return { ...event, run: own } as SettledEvent;
  });
  const merged: SettledEvent[] = [];
  let acting = false;
  for (const [index, event] of run.entries()) {
    if (event.type === 'preActing') acting = true;
    if (event.type === 'preReasoning' || event.type === 'postCall') {
      // A sub-agent always ends before its call.
      if (acting) merged.push(...children.splice(0));
      acting = false;
    }
    merged.push(event);
    if (acting) merged.push(...children.splice(0, (seed + index) % 4));
  }
  return children.length === events.length ? run : merged;
}

/** These occur often enough in this many runs. Rarer ones have separate specs. */
const MUST_COME: readonly string[] = [
  ...[5, 6, 7].flatMap((version) =>
    [
      'start',
      'finish',
      'abort',
      'error',
      'start-step',
      'finish-step',
      'message-metadata',
      'text-delta',
      'reasoning-delta',
    ]
      .concat(['tool-input-available', 'tool-output-available', 'tool-output-error'])
      .map((type) => `${version} ${type}`),
  ),
  ...['6 tool-approval-request', 'data-retracted', 'data-hook', 'data-approval'],
  ...['data-tool-output', 'data-subagent', 'child'],
];

/** Checks that the settled messages and the answer of the run are shown. The answer of a sub-agent is the result of its call. */
function expectAnswer(events: readonly SettledEvent[], texts: readonly string[]): void {
  const post = events.at(-1);
  if (post?.type === 'postCall' && post.message) expect(texts.join(''), 'the answer').to.include(textOf(post.message));
  const said = events.flatMap((event) => (event.type === 'postReasoning' ? [textOf(event.message)] : []));
  for (const one of said.slice(0, -1)) expect(texts.join(''), 'what was said').to.include(one);
}

/** The first events of a run, with another end. */
function cutOff(run: readonly SettledEvent[], at: number, cut: 'error' | 'cancel' | 'suspension'): SettledEvent[] {
  const begun = run.slice(0, at).filter((event) => event.type !== 'postCall' || event.run.depth > 0);
  const [first] = run as [SettledEvent];
  if (cut === 'error') return begun;
  const post = { type: 'postCall', run: first.run, iteration: 1, seq: at, time: 0 } as const;
  if (cut === 'cancel') return [...begun, { ...post, outcome: 'cancelled' }];
  const over = new Set(begun.flatMap((event) => (event.type === 'postActing' ? [event.toolCall.id] : [])));
  const asked = begun.flatMap((event) => (event.type === 'postReasoning' ? toolCallsOf(event.message) : []));
  const open = asked.filter(({ id }) => !over.has(id));
  const unknown = { id: 'unknown', name: 'value', input: {} };
  const pending = (open.length > 0 ? open : [unknown]).map((toolCall) => ({
    key: `${first.run.runId}/${toolCall.id}`,
    toolCall,
    judged: { ...toolCall, input: { judged: true } },
    prompt: 'may I?',
    by: 'h0',
  }));
  const snapshot = {
    version: 1,
    run: first.run,
    transcript: [],
    settled: [],
    finishing: false,
    pending,
    state: {},
    iteration: 1,
    maxIterations: 4,
  };
  return [...begun, { ...post, outcome: 'suspended', snapshot } as unknown as SettledEvent];
}
