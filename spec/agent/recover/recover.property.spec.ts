import { expect } from 'chai';
import fc from 'fast-check';
import { HooklineError, type Message, type SettledEvent, textOf, toolCallsOf } from '../../../lib/index.ts';
import { type Crash, type CrashPlan, crashable, IDEMPOTENT } from './crashed-agent.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 2_000 : 12;

const calls = fc.array(
  fc.record({
    tool: fc.constantFrom('read', 'write', 'write', 'slow', 'fail', 'shown', IDEMPOTENT, IDEMPOTENT, 'nope'),
  }),
  { maxLength: 3 },
);
const hook = fc.oneof(
  fc.record({
    at: fc.constant('preActing'),
    what: fc.constantFrom('abort', 'deny', 'respond', 'rewrite', 'rollback', 'fail'),
  }),
  fc.record({ at: fc.constant('postReasoning'), what: fc.constantFrom('retry', 'retry', 'finish', 'abort') }),
  fc.record({ at: fc.constant('postActing'), what: fc.constantFrom('finish', 'abort', 'fail') }),
  fc.record({ at: fc.constantFrom('preReasoning', 'preCall'), what: fc.constantFrom('respond', 'abort', 'rollback') }),
);
const plans: fc.Arbitrary<CrashPlan> = fc.record({
  turns: fc.array(calls, { minLength: 1, maxLength: 4 }),
  hooks: fc.array(
    fc.tuple(hook, fc.integer({ min: 0, max: 3 })).map(([one, nth]) => ({ ...one, nth })),
    { maxLength: 2 },
  ),
  maxIterations: fc.integer({ min: 1, max: 5 }),
  sameIds: fc.boolean(),
  earlier: fc.boolean(),
});

describe('agent.recover of random agents', () => {
  it(`gives each call one result and runs none twice, after a crash at each event of ${RUNS} runs`, function () {
    this.timeout(0);
    const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2_147_483_647);
    console.log(`      seed ${seed} (HOOKLINE_SEED=${seed} runs the same again)`);
    const seen = { cancelled: 0, repeated: 0, recovered: 0, refused: 0, started: 0 };
    const property = fc.property(plans, fc.integer({ min: 0, max: 1_000 }), (plan, pick) => {
      const first = crashable(plan);
      const { crashes } = first;
      for (const crash of crashes) {
        check(plan, crash, true, seen, pick);
        // The last events are lost, but the store is not.
        const kept = crash.journal.slice(0, Math.max(1, crash.journal.length - (pick % 4)));
        check(plan, { ...crash, journal: kept }, false, seen);
      }
    });
    fc.assert(property, { numRuns: RUNS, seed });
    // Rare cases come in further rounds.
    for (let more = 1; Object.values(seen).includes(0) && more <= 40; more += 1)
      fc.assert(property, { numRuns: 10, seed: seed + more });
    for (const [what, count] of Object.entries(seen)) expect(count, what).to.be.greaterThan(0);
  });
});

type Seen = Record<'cancelled' | 'repeated' | 'recovered' | 'refused' | 'started', number>;

function check(plan: CrashPlan, crash: Crash, writeAhead: boolean, seen: Seen, again?: number): void {
  const before = toolCallCounts(crash.executed);
  const world = crashable(plan, { ...crash, writeAhead });
  const ended = crash.journal.some(({ type }) => type === 'postCall');
  const code = world.thrown instanceof HooklineError ? world.thrown.code : world.thrown;
  if (ended) return void expect(code, 'an ended run').to.equal('RECOVERY_INVALID');
  expect(code, 'error').to.equal(undefined);
  const post = world.events.at(-1);
  if (post?.type !== 'postCall') throw new Error('the run did not end');
  expect(world.events[0]?.run.resumedFrom).to.equal(crash.journal[0]?.run.runId);
  const refusal = world.events.find((event) => event.type === 'error' && event.error.code === 'RECOVERY_INVALID');
  if (refusal) {
    // Only if the journal has lost events can it be unknown where the run was. A hook may change the call that is repeated.
    if (!plan.hooks.some(({ what }) => what === 'rewrite' || what === 'rollback'))
      expect(writeAhead, JSON.stringify([crash.journal.map(({ type }) => type), crash.stored])).to.equal(false);
    seen.refused += 1;
  } else seen.recovered += 1;
  checkCalls(crash, world.events, writeAhead, seen, refusal !== undefined);
  checkTwice(world.executed, before, plan, crash, world.events, seen);
  checkTranscript(world.stored, plan);
  if (again === undefined || world.crashes.length === 0) return;
  const next = world.crashes[again % world.crashes.length] as Crash;
  check(plan, next, writeAhead, seen);
}

/** Each call has one result in the journal and the recovered run. */
function checkCalls(
  crash: Crash,
  events: readonly SettledEvent[],
  writeAhead: boolean,
  seen: Seen,
  refused: boolean,
): void {
  const all = [...crash.journal, ...events];
  const results = new Map<number, number>();
  const begunIn = (some: readonly SettledEvent[]) =>
    new Set(some.flatMap((event) => (event.type === 'preActing' && !event.decision ? [numberOf(event)] : [])));
  const begun = begunIn(crash.journal);
  // An abort cancels a call that the recovered run has begun itself.
  const begunSince = begunIn(events);
  for (const event of all) {
    if (event.type !== 'postActing') continue;
    results.set(numberOf(event), (results.get(numberOf(event)) ?? 0) + 1);
  }
  for (const [n, count] of results) expect(count, `results of call ${n}`).to.equal(1);
  const own = all.flatMap((event) => (event.type === 'postReasoning' ? toolCallsOf(event.message) : []));
  // A hook that ends the recovered run at its start leaves the calls closed in the transcript only.
  if (!refused && writeAhead && events[0]?.decision === undefined)
    for (const { input } of own) {
      const kept = crash.stored.some(({ parts }) => JSON.stringify(parts).includes(`"n":${input['n']}}`));
      if (!kept) expect(results.get(Number(input['n'])), `call ${input['n']} has a result`).to.equal(1);
    }
  for (const event of events) {
    if (event.type !== 'postActing' || event.outcome !== 'cancelled') continue;
    seen.cancelled += 1;
    expect(event.result.content).to.match(/its effect is unknown|withheld/);
    const hadBegun = begun.has(numberOf(event)) || begunSince.has(numberOf(event));
    if (writeAhead) expect(hadBegun, 'only a call that had begun is cancelled').to.equal(true);
  }
  if (events.some((event) => event.type === 'preActing' && !begun.has(numberOf(event)))) seen.started += 1;
}

function checkTwice(
  executed: readonly number[],
  before: ReadonlyMap<number, number>,
  plan: CrashPlan,
  crash: Crash,
  events: readonly SettledEvent[],
  seen: Seen,
): void {
  const rewrites = plan.hooks.some(({ what }) => what === 'rewrite');
  const names = new Map<number, Set<string>>();
  for (const event of [...crash.journal, ...events])
    if (event.type === 'preActing')
      names.set(numberOf(event), (names.get(numberOf(event)) ?? new Set()).add(event.toolCall.name));
  for (const [n, count] of toolCallCounts(executed)) {
    if (count === 1 || count === (before.get(n) ?? 0)) continue;
    seen.repeated += 1;
    // A hook that counts calls decides otherwise about the second attempt, which the first one did not do.
    if (!rewrites) expect([...(names.get(n) ?? [])], `call ${n} ran ${count} times`).to.deep.equal([IDEMPOTENT]);
  }
}

function checkTranscript(stored: readonly Message[], plan: CrashPlan): void {
  const made: unknown[] = [];
  stored.forEach((message, index) => {
    const asked = toolCallsOf(message);
    made.push(...asked.map(({ input }) => input['n']));
    if (asked.length === 0) return;
    const answered =
      stored[index + 1]?.parts.flatMap((part) => (part.type === 'toolResult' ? [part.toolCallId] : [])) ?? [];
    // A rollback of a recovered run restores its start, with the calls that are open.
    if (plan.hooks.some(({ what }) => what === 'rollback') && index >= stored.length - 2) return;
    expect(answered, 'every call is answered, in call order').to.deep.equal(asked.map(({ id }) => id));
  });
  expect(new Set(made).size, 'no message is there twice').to.equal(made.length);
  const prompts = stored.filter((message) => message.role === 'user' && textOf(message) === 'hello').length;
  expect(prompts).to.be.at.most(plan.earlier ? 2 : 1);
}

function numberOf(event: { readonly toolCall: { readonly input: Record<string, unknown> } }): number {
  return Number(event.toolCall.input['n']);
}

function toolCallCounts(executed: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const n of executed) counts.set(n, (counts.get(n) ?? 0) + 1);
  return counts;
}
