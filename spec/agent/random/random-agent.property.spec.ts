import { expect } from 'chai';
import fc from 'fast-check';
import { hookEventSchema, type Message, type SettledEvent, textOf, toolCallsOf } from '../../../lib/index.ts';
import { branches, randomPlan } from './random-plan.ts';
import { runWorld } from './random-world.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 1_000_000 : 300;
/** The maximum of additional rounds, a third of the runs each, for missed branches: the rarest comes once in a thousand runs. */
const AGAIN = 300;

describe('random agents', () => {
  it(`keep every invariant, ${RUNS} times and more`, function () {
    this.timeout(0);
    const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2_147_483_647);
    console.log(`      seed ${seed} (HOOKLINE_SEED=${seed} runs the same again)`);
    const taken = new Map<string, number>();
    const took = (branch: string) => void taken.set(branch, (taken.get(branch) ?? 0) + 1);
    const property = fc.property(randomPlan, (plan) => {
      const world = runWorld(plan, took);
      if (world.issues.length > 0) throw new Error(world.issues.join('\n'));
      const byRun = new Map<string, SettledEvent[]>();
      for (const event of world.settled) byRun.set(event.run.runId, [...(byRun.get(event.run.runId) ?? []), event]);
      for (const events of byRun.values()) checkRun(events);
      checkTranscript(world.stored, world.runs.at(-1) ?? []);
      if (world.said) checkSteering(world.stored, world.runs);
    });
    const missed = () => branches.filter((branch) => !taken.has(branch));
    fc.assert(property, { numRuns: RUNS, seed });
    for (let again = 1; missed().length > 0 && again <= AGAIN; again += 1)
      fc.assert(property, { numRuns: RUNS / 3, seed: seed + again });
    expect(missed(), 'branches that no run has taken').to.deep.equal([]);
  });
});

function checkRun(events: readonly SettledEvent[]): void {
  expect(
    events.map(({ seq }) => seq),
    'seq',
  ).to.deep.equal(events.map((_, index) => index));
  expect(events.filter(({ type }) => type === 'preCall')).to.have.length(1);
  expect(events.filter(({ type }) => type === 'postCall')).to.have.length(1);
  expect(events.at(-1)?.type).to.equal('postCall');
  const post = events.at(-1);
  const results = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'postActing') results.set(event.toolCall.id, (results.get(event.toolCall.id) ?? 0) + 1);
    expect(JSON.parse(JSON.stringify(event))).to.deep.equal(event);
    if (event.type !== 'reasoningChunk') expect(hookEventSchema.safeParse(event).error).to.equal(undefined);
  }
  for (const [id, count] of results) expect(count, `results of ${id}`).to.equal(1);
  const asked = events.flatMap((event) => (event.type === 'postReasoning' ? toolCallsOf(event.message) : []));
  const waits = post?.type === 'postCall' && (post.outcome === 'suspended' || post.outcome === 'cancelled');
  if (!waits) for (const { id } of asked) expect(results.get(id), `${id} has a result`).to.equal(1);
}

/** A message of the user to a run is stored, unless the run is rolled back. */
function checkSteering(stored: readonly Message[], runs: readonly (readonly SettledEvent[])[]): void {
  const [first = []] = runs;
  const post = first.at(-1);
  // A suspended run accepts no messages between its snapshot and its end.
  if (post?.type === 'postCall' && post.outcome === 'suspended') return;
  if (first.some(({ decision }) => decision?.action === 'abort' && decision.rollback === true)) return;
  expect(stored.map(textOf), 'what was said').to.include('and this');
}

/** Checks that no call is an orphan and that the store holds the last run's settled values. */
function checkTranscript(stored: readonly Message[], run: readonly SettledEvent[]): void {
  const post = run.at(-1);
  if (post?.type !== 'postCall') return;
  // A rollback of a resumed run restores its start: the pending calls.
  const rolledBack = run.some(({ decision }) => decision?.action === 'abort' && decision.rollback === true);
  stored.forEach((message, index) => {
    const calls = toolCallsOf(message);
    if (calls.length === 0) return;
    const next = stored[index + 1];
    const answered = next?.parts.flatMap((part) => (part.type === 'toolResult' ? [part.toolCallId] : [])) ?? [];
    // Messages of the user to a resumed run that is pending again come after the open calls.
    const open = stored.slice(index + (next?.role === 'tool' ? 2 : 1)).every(({ role }) => role === 'user');
    if ((post.outcome === 'suspended' || rolledBack) && open) return;
    expect(answered, 'every call is answered, in call order').to.deep.equal(calls.map(({ id }) => id));
  });
  if (post.outcome === 'aborted') return;
  for (const event of run) {
    if (event.type !== 'postActing') continue;
    const kept = stored
      .flatMap(({ parts }) => parts)
      .find((part) => part.type === 'toolResult' && part.toolCallId === event.toolCall.id);
    expect(kept?.type === 'toolResult' && kept.result, `the result of ${event.toolCall.id}`).to.deep.equal(
      event.result,
    );
  }
  if (post.message && post.outcome !== 'suspended')
    expect(stored.findLast(({ role }) => role === 'assistant')).to.deep.equal(post.message);
}
