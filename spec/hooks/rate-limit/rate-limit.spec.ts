import { expect } from 'chai';
import { concat, concatMap, firstValueFrom, from, ignoreElements, mergeMap, throwError, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { HooklineError } from '../../../lib/errors.ts';
import { finish } from '../../../lib/events/decisions/finish.ts';
import type { HookHost } from '../../../lib/hooks/hook-host.ts';
import { rateLimit } from '../../../lib/hooks/rate-limit/rate-limit.ts';
import type { RateLimitOptions } from '../../../lib/hooks/rate-limit/rate-limit-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../../lib/pipeline/define/hook.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import type { RunOptions } from '../../../lib/pipeline/run/run.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import type { StateStore } from '../../../lib/store/state/state-store.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';

const tools = ['fetch', 'read'].map((name) =>
  defineTool({ name, description: name, inputSchema: { type: 'object' }, execute: () => 'ran' }),
);

/** Makes calls `[time, tool, run]` in milliseconds of virtual time. Returns `time: ran` or `time: seconds to wait`. */
function play(
  options: RateLimitOptions['limits'],
  calls: readonly (readonly [at: number, tool?: string, run?: Partial<RunOptions>])[],
  { host = {}, more = [], localShare = 0 }: { host?: HookHost; more?: readonly Hook[]; localShare?: number } = {},
): string[] {
  const told: string[] = [];
  const scheduler = new TestScheduler(() => {});
  scheduler.run(({ cold }) => {
    const pipeline = createPipeline([rateLimit({ limits: options, localShare }, host), ...more], { scheduler });
    const runs = new Map<string, ReturnType<typeof pipeline.start>>();
    for (const [index, [at, tool = 'fetch', run = {}]] of calls.entries()) {
      const options = { agent: 'a', sessionId: 's', ...run };
      const key = JSON.stringify(options);
      const started = runs.get(key) ?? pipeline.start(options);
      runs.set(key, started);
      cold(`${at}ms (x|)`)
        .pipe(mergeMap(() => started.act({ id: `c${index}`, name: tool, input: {} }, tools)))
        .subscribe((event) => {
          if (event.type !== 'postActing') return;
          const { content } = event.result;
          told.push(
            `${scheduler.now()}: ${content === 'ran' ? 'ran' : (/Try again in \d+ s/.exec(content)?.[0] ?? content)}`,
          );
        });
    }
  });
  return told;
}

describe('rateLimit', () => {
  it('denies the call over the limit with the wait, and allows calls after it', () => {
    const limits = [{ max: 2, windowMs: 10_000 }];
    expect(play(limits, [[0], [1_000], [2_000], [10_000], [10_600], [10_700]])).to.deep.equal([
      '0: ran',
      '1000: ran',
      '2000: Try again in 9 s',
      '10000: Try again in 1 s',
      '10600: ran',
      '10700: Try again in 1 s',
    ]);
  });

  it('queues up to its maximum wait, in the order of the calls', () => {
    const limits = [{ max: 1, windowMs: 1_000, maxWaitMs: 2_500, algorithm: 'bucket' as const }];
    expect(play(limits, [[0], [1], [2], [3]])).to.deep.equal([
      '0: ran',
      '1000: ran',
      '2000: Try again in 1 s',
      '2000: ran',
    ]);
  });

  it('counts by the fields in `per`', () => {
    const at = (per: NonNullable<RateLimitOptions['limits'][number]['per']>) =>
      play(
        [{ max: 1, per }],
        [
          [0, 'fetch', { userId: 'ann', sessionId: 's1' }],
          [1, 'read', { userId: 'ann', sessionId: 's1' }],
          [2, 'fetch', { userId: 'ann', sessionId: 's2' }],
          [3, 'fetch', { userId: 'bob', sessionId: 's3' }],
          [4, 'fetch', { sessionId: 's3', agent: 'b' }],
        ],
      ).map((line) => line.endsWith('ran'));
    expect(at([])).to.deep.equal([true, false, false, false, false]);
    expect(at(['tool'])).to.deep.equal([true, true, false, false, false]);
    expect(at(['user'])).to.deep.equal([true, false, false, true, true]);
    expect(at(['session'])).to.deep.equal([true, false, true, true, true]);
    expect(at(['agent'])).to.deep.equal([true, false, false, false, true]);
    expect(at(['tool', 'user'])).to.deep.equal([true, true, false, true, true]);
  });

  it('counts only the listed tools', () =>
    expect(play([{ max: 1, tools: ['fe*'] }], [[0], [1, 'read'], [2, 'read'], [3]])).to.deep.equal([
      '0: ran',
      '1: ran',
      '2: ran',
      '3: Try again in 63 s',
    ]));

  it('refunds a call that another limit denies', () => {
    const limits = [
      { max: 2, per: [] },
      { max: 1, tools: ['fetch'] },
    ];
    expect(play(limits, [[0], [1], [2], [3, 'read'], [4, 'read']]).map((line) => line.endsWith('ran'))).to.deep.equal([
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  it('does not count a call that another approver denies', () => {
    const no = defineHook({
      name: 'no',
      approve: ({ toolCall }) => (toolCall.id === 'c0' ? verdict.deny('no') : verdict.allow()),
    });
    expect(play([{ max: 1 }], [[0], [1], [2]], { more: [no] }).map((line) => line.endsWith('ran'))).to.deep.equal([
      false,
      true,
      false,
    ]);
  });

  it('shares its counts in the store and counts concurrent calls one by one', async () => {
    const store = memoryStateStore();
    const act = (id: string) =>
      createPipeline([rateLimit({ limits: [{ max: 3 }] }, { store })])
        .start({ agent: 'a', sessionId: 's' })
        .act({ id, name: 'fetch', input: {} }, tools);
    const events = await firstValueFrom(from(['a', 'b', 'c', 'd', 'e']).pipe(mergeMap(act), toArray()));
    const outcomes = events.flatMap((event) => (event.type === 'postActing' ? [event.outcome] : []));
    expect(outcomes.sort()).to.deep.equal(['denied', 'denied', 'executed', 'executed', 'executed']);
  });

  it('denies calls and blocks model requests when the store fails', async () => {
    const store = { ...memoryStateStore(), get: () => throwError(() => new Error('disk full')) };
    expect(play([{ max: 9 }], [[0]], { host: { store } })[0]).to.match(/failed/);
    const pipeline = createPipeline([rateLimit({ limits: [{ of: 'modelRequests', max: 9 }] }, { store })]);
    const { outcome } = await createAgent({ name: 'a', model: scriptedModel(['Hi.']), pipeline }).call('go');
    expect(outcome).to.equal('failed');
  });

  it('uses its own share of the limits while the store fails, and the store again after that', () => {
    const memory = memoryStateStore();
    let asked = 0;
    const get: StateStore['get'] = (key) => {
      asked += 1;
      return asked < 2 ? throwError(() => new HooklineError('STORE_FAILED', 'away')) : memory.get(key);
    };
    const host = { store: { ...memory, get } };
    const calls = [0, 1, 2, 3, 6_000, 6_001].map((at) => [at] as const);
    expect(play([{ max: 4 }], calls, { host, localShare: 0.5 })).to.deep.equal([
      '0: ran',
      '1: ran',
      '2: Try again in 63 s',
      '3: Try again in 63 s',
      '6000: ran',
      '6001: ran',
    ]);
    // Errors of another kind are not hidden.
    const broken = { ...memory, get: () => throwError(() => new Error('a defect')) };
    expect(play([{ max: 4 }], [[0]], { host: { store: broken }, localShare: 0.5 })[0]).to.match(/failed/);
    expect(
      play([{ max: 1 }], [[0]], {
        host: { store: { ...memory, get: () => throwError(() => new HooklineError('STORE_FAILED', 'away')) } },
        localShare: 0.5,
      })[0],
    ).to.match(/exceeds the limit/);
  });

  it('aborts a model request over the limit with the reason', async () => {
    const pipeline = createPipeline([rateLimit({ limits: [{ of: 'modelRequests', max: 1 }] })]);
    const model = scriptedModel([{ toolCalls: [{ name: 'fetch', input: {} }] }, 'Done.']);
    const { outcome, reason } = await createAgent({ name: 'a', model, tools, pipeline }).call('go');
    expect(outcome).to.equal('aborted');
    expect(reason).to.match(
      /limit of 1 model requests per session in 60 s is reached for the model\. Try again in \d+ s/,
    );
  });

  it('counts tokens and blocks the next model request when they are used up', async () => {
    const usage = { inputTokens: 60, outputTokens: 40 };
    const pipeline = createPipeline([rateLimit({ limits: [{ of: 'tokens', max: 150, per: [] }] })]);
    const model = scriptedModel([1, 2, 3].map((n) => ({ text: `${n}`, usage })));
    const agent = createAgent({ name: 'a', model, pipeline });
    const outcomes = await firstValueFrom(
      from([1, 2, 3]).pipe(
        concatMap((n) => from(agent.call(`${n}`))),
        toArray(),
      ),
    );
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['completed', 'completed', 'aborted']);
  });

  it('counts the tokens of every attempt, also if another hook ends the run after the answer', async () => {
    const usage = { inputTokens: 60, outputTokens: 40 };
    const end = defineHook({ name: 'end', on: { postReasoning: (event) => finish(event) } });
    const twice = defineHook({
      name: 'twice',
      around: { reasoning: (_, next) => concat(next().pipe(ignoreElements()), next()) },
    });
    const pipeline = createPipeline([rateLimit({ limits: [{ of: 'tokens', max: 150, per: [] }] }), end, twice]);
    const agent = createAgent({
      name: 'a',
      model: scriptedModel([1, 2, 3].map((n) => ({ text: `${n}`, usage }))),
      pipeline,
    });
    expect((await agent.call('1')).outcome).to.equal('finished');
    expect((await agent.call('2')).outcome).to.equal('aborted');
  });

  it('does not count a suspended call again', async () => {
    const pipeline = createPipeline([
      rateLimit({ limits: [{ max: 1 }] }),
      defineHook({ name: 'ask', approve: () => verdict.suspend('May it?') }),
    ]);
    const model = scriptedModel([{ toolCalls: [{ name: 'fetch', input: {} }] }, 'Done.']);
    const agent = createAgent({ name: 'a', model, tools, pipeline });
    const { snapshot } = await agent.call('go', { sessionId: 's' });
    const [key] = Object.values((snapshot as never as { pending: { key: string }[] }).pending).map((one) => one.key);
    const events = await firstValueFrom(
      agent.resume(snapshot as never, { [key as string]: { approved: true } }).pipe(toArray()),
    );
    expect(events.flatMap((event) => (event.type === 'postActing' ? [event.outcome] : []))).to.deep.equal(['executed']);
  });

  it('rejects an invalid limit', () => {
    for (const [limits, told] of [
      [[], /limits: must contain at least one limit/],
      [[{ max: 0 }], /limits\.0\.max/],
      [[{ max: 1, of: 'tokens', tools: ['x'] }], /limits\.0\.tools: .*require of: calls/],
      [[{ max: 1, burst: 3 }], /limits\.0\.burst: requires algorithm: bucket/],
    ] as const)
      expect(() => rateLimit({ limits } as never))
        .to.throw(told)
        .with.property('code', 'OPTIONS_INVALID');
  });

  it('keeps the hook contract', () =>
    hookContract(
      rateLimit({ limits: [{ max: 1_000 }, { of: 'modelRequests', max: 1_000 }, { of: 'tokens', max: 1e6 }] }),
    ));
});
