import { expect } from 'chai';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { type AgUiEvent, toAgUi } from '../../../lib/adapters/ag-ui/index.ts';
import { type SettledEvent, textOf, toolCallsOf } from '../../../lib/index.ts';
import { randomPlan } from '../../agent/random/random-plan.ts';
import { runWorld } from '../../agent/random/random-world.ts';
import { cutOff } from './cut-off.ts';
import { messagesAfter, verified } from './verified.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 10_000 : 200;
const CUTS = ['none', 'error', 'cancel', 'suspension'] as const;

describe('the AG-UI events of random agents', () => {
  it(`are valid for the client after an error, a cancellation or a suspension, ${RUNS} times`, async function () {
    this.timeout(0);
    const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2_147_483_647);
    const taken = new Set<string>();
    const property = fc.asyncProperty(
      randomPlan,
      fc.constantFrom(...CUTS),
      fc.nat(),
      fc.boolean(),
      async (plan, cut, at, hooks) => {
        const { runs } = runWorld(plan, () => {});
        for (const run of runs) {
          const events = cut === 'none' ? run : cutOff(run, 1 + (at % Math.max(1, run.length - 1)), cut);
          const sent = await lastValueFrom(from(events).pipe(toAgUi({ hooks }), toArray()));
          for (const { type } of sent) taken.add(type);
          const passed = await verified(sent);
          expect(passed, 'what the client has taken').to.deep.equal(sent);
          expect(['RUN_FINISHED', 'RUN_ERROR'], 'the last event').to.include(sent.at(-1)?.type);
          if (cut === 'none' && sent.at(-1)?.type === 'RUN_FINISHED') await expectAnswer(events, sent);
        }
      },
    );
    const missing = () => MUST_COME.filter((type) => !taken.has(type));
    // The rarest may need more runs.
    for (let round = 0; round === 0 || (round < 5 && missing().length > 0); round += 1)
      await fc.assert(property, { numRuns: RUNS, seed: seed + round });
    expect(missing(), `events that no run has sent (seed ${seed})`).to.deep.equal([]);
  });
});

const MUST_COME: readonly string[] = [
  ...['RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR', 'STEP_STARTED', 'STEP_FINISHED', 'MESSAGES_SNAPSHOT', 'CUSTOM'],
  ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'REASONING_MESSAGE_CONTENT', 'REASONING_END'],
  ...['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', 'TOOL_CALL_RESULT', 'ACTIVITY_SNAPSHOT', 'ACTIVITY_DELTA'],
];

/** Checks that the client shows the settled content in order and nothing else. */
async function expectAnswer(events: readonly SettledEvent[], sent: readonly AgUiEvent[]): Promise<void> {
  const [first] = events as [SettledEvent];
  const own = events.filter(({ run }) => run.runId === first.run.runId);
  const answers = own.flatMap((event) => (event.type === 'postReasoning' ? [event.message] : []));
  const said = answers.map(textOf);
  const post = own.at(-1);
  if (post?.type === 'postCall' && post.message && textOf(post.message) !== said.at(-1)) {
    // The final message replaces the answer, if there was one.
    if (answers.length > 0 && toolCallsOf(answers.at(-1)).length === 0) said.pop();
    said.push(textOf(post.message));
  }
  const messages = await messagesAfter(sent);
  const shown = messages.flatMap(({ role, subagentRunId, content }) =>
    role === 'assistant' && !subagentRunId && typeof content === 'string' ? [content] : [],
  );
  // A failed model step keeps its streamed text.
  const failed = own.some((event) => event.type === 'error' && event.phase !== 'acting');
  const cut = post?.type === 'postCall' && (post.outcome === 'cancelled' || post.outcome === 'aborted');
  if (!failed && !cut) expect(shown.join(''), 'what is shown').to.equal(said.join(''));
  else for (const text of said) expect(shown.join(''), 'what was said').to.include(text);
  // The error text of a tool appears only in the log.
  const results = own.flatMap((event) =>
    event.type === 'postActing' ? [event.outcome === 'failed' ? 'The call failed.' : event.result.content] : [],
  );
  const given = messages.flatMap((one) => (one.role === 'tool' && !one.subagentRunId ? [one.content] : []));
  expect(given, 'what tools gave').to.deep.equal(results);
}
