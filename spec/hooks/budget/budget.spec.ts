import { expect } from 'chai';
import { concat, delay, ignoreElements, lastValueFrom, of, throwError, timer, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { Agent } from '../../../lib/agent/agent.ts';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { memoryTranscript } from '../../../lib/agent/transcript/memory-transcript.ts';
import type { TranscriptStore } from '../../../lib/agent/transcript/transcript-store.ts';
import type { Message } from '../../../lib/events/parts/message.ts';
import type { PostCall } from '../../../lib/events/post-call.ts';
import { budget } from '../../../lib/hooks/budget/budget.ts';
import type { BudgetOptions } from '../../../lib/hooks/budget/budget-options.ts';
import type { HookHost } from '../../../lib/hooks/hook-host.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../../lib/pipeline/define/hook.ts';
import { defineTool, type Tool } from '../../../lib/pipeline/define/tool.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  permission: 'read',
  execute: () => 'seen',
});
const usage = { inputTokens: 60, outputTokens: 40 };
const calling = (...names: string[]) => ({
  toolCalls: names.map((name) => ({ name, input: { prompt: 'help' } })),
  usage,
});
const saying = (text: string) => ({ text, usage });

type Limit = BudgetOptions['limits'][number];
type Turns = Parameters<typeof scriptedModel>[0];

interface Scene {
  readonly limits: readonly Limit[];
  readonly turns: Turns;
  readonly prices?: BudgetOptions['prices'];
  readonly host?: HookHost;
  readonly more?: readonly Hook[];
  readonly tools?: readonly Tool[];
}

/** An agent under a budget; `said` is what the budget leaves in notes, `lines` what it logs as warnings. */
function scene({ limits, turns, prices, host, more = [], tools = [look] }: Scene) {
  const said: { code: string; message: string; data?: unknown }[] = [];
  const lines: string[] = [];
  const line = (fields: object | string, message?: string) => lines.push(message ?? String(fields));
  const log = { debug() {}, info() {}, warn: line, error: line };
  const hooks = [
    budget({ limits: [...limits], ...(prices && { prices }) }, host),
    ...more,
    defineHook({
      name: 'reader',
      observe: ({ notes = [] }) => void said.push(...notes.filter(({ by }) => by === 'budget')),
    }),
  ];
  const pipeline = createPipeline(hooks, { log });
  const model = scriptedModel(turns);
  const agent = createAgent({ name: 'a', model, tools, pipeline });
  return { agent, model, said, lines, pipeline, codes: () => said.map(({ code }) => code) };
}

const tell = ({ outcome, reason = '' }: PostCall) => (reason === '' ? outcome : `${outcome}: ${reason}`);

async function ends(agent: Agent, sessions: readonly string[]): Promise<string[]> {
  const told: string[] = [];
  for (const sessionId of sessions) told.push(tell(await agent.call('go', { sessionId })));
  return told;
}

describe('budget', () => {
  it('lets the model answer once more without tools when the limit is reached, and nothing of that is remembered', async () => {
    const turns = [calling('look'), calling('look'), saying('That is what I know.')];
    const { agent, model, codes } = scene({ limits: [{ of: 'tokens', max: 150 }], turns });
    const { outcome, message } = await agent.call('go', { sessionId: 's' });
    expect(outcome).to.equal('finished');
    expect(message?.parts).to.deep.equal([{ type: 'text', text: 'That is what I know.' }]);
    const [, second, last] = model.requests;
    expect(second?.tools).to.have.length(1);
    expect(last?.tools).to.have.length(0);
    expect(last?.options.toolChoice).to.equal('none');
    const hint = last?.messages.at(-1);
    expect(hint).to.include({ role: 'user', origin: 'budget' });
    expect(JSON.stringify(hint)).to.contain('Of the budget of 150 tokens per run, 200 tokens are spent.');
    expect(codes()).to.deep.equal(['budget-spent', 'budget-last']);
  });

  it('runs no call of a last answer, and lets nobody ask for another', async () => {
    const ran: string[] = [];
    const tool = defineTool({ ...look, execute: () => void ran.push('ran') });
    const again = defineHook({
      name: 'again',
      on: {
        postReasoning: (event) => ({ ...event, decision: { action: 'retry', messages: [] } }) as never,
      },
    });
    const turns = [calling('look'), calling('look')];
    const { agent, model } = scene({ limits: [{ of: 'tokens', max: 50 }], turns, tools: [tool] });
    expect((await agent.call('go')).outcome).to.equal('finished');
    expect(ran).to.have.length(1);
    expect(model.requests).to.have.length(2);
    const retried = scene({ limits: [{ of: 'tokens', max: 50 }], turns: [saying('a'), saying('b')], more: [again] });
    expect((await retried.agent.call('go')).outcome).to.equal('finished');
    expect(retried.model.requests).to.have.length(2);
  });

  it('aborts with the limit and the figures', async () => {
    const limits: Limit[] = [{ of: 'outputTokens', max: 40, onLimit: 'abort' }];
    const { agent, model } = scene({ limits, turns: [calling('look'), saying('no')] });
    expect(tell(await agent.call('go'))).to.equal(
      'aborted: hook "budget": Of the budget of 40 output tokens per run, 40 output tokens are spent.',
    );
    expect(model.requests).to.have.length(1);
  });

  it('does the strictest of what its limits say', async () => {
    const limits: Limit[] = [
      { of: 'tokens', max: 100 },
      { of: 'tokens', max: 100, onLimit: 'warn' },
      { of: 'steps', max: 1 },
      { of: 'tokens', per: 'session', max: 100, onLimit: 'abort' },
    ];
    const { agent } = scene({ limits, turns: [calling('look'), saying('no')] });
    expect((await agent.call('go')).outcome).to.equal('aborted');
  });

  it('warns once when the fraction is passed, and once at the limit, in notes and in the log', async () => {
    const limits: Limit[] = [{ of: 'inputTokens', max: 150, warnAt: 0.5, onLimit: 'warn' }];
    const turns = [calling('look'), calling('look'), calling('look'), calling('look'), saying('done')];
    const { agent, said, lines } = scene({ limits, turns });
    expect((await agent.call('go')).outcome).to.equal('completed');
    expect(said.map(({ code, data }) => [code, data])).to.deep.equal([
      ['budget-near', { of: 'inputTokens', per: 'run', max: 150, spent: 120 }],
      ['budget-spent', { of: 'inputTokens', per: 'run', max: 150, spent: 180 }],
    ]);
    expect(lines).to.deep.equal(said.map(({ message }) => message));
  });

  it('gives a run, a session and a user a budget of its own', async () => {
    const play = async (per: 'run' | 'session' | 'user') => {
      const limits: Limit[] = [{ of: 'tokens', per, max: 150, onLimit: 'abort' }];
      const { agent } = scene({ limits, turns: Array.from({ length: 9 }, () => saying('ok')) });
      const runs: [string, string?][] = [
        ['s1', 'ann'],
        ['s1', 'ann'],
        ['s1', 'ann'],
        ['s2', 'ann'],
        ['s3', 'bob'],
        ['s4'],
      ];
      const told: boolean[] = [];
      for (const [sessionId, userId] of runs)
        told.push((await agent.call('go', { sessionId, ...(userId && { userId }) })).outcome === 'completed');
      return told;
    };
    expect(await play('run')).to.deep.equal([true, true, true, true, true, true]);
    expect(await play('session')).to.deep.equal([true, true, false, true, true, true]);
    expect(await play('user')).to.deep.equal([true, true, false, false, true, true]);
  });

  it('gives no last answer to a run that begins when all is spent', async () => {
    const limits: Limit[] = [{ of: 'tokens', per: 'session', max: 100 }];
    const { agent, model } = scene({ limits, turns: [saying('one'), saying('two')] });
    expect(await ends(agent, ['s', 's'])).to.deep.equal([
      'completed',
      'aborted: hook "budget": Of the budget of 100 tokens per session, 100 tokens are spent. A run cannot begin without any left.',
    ]);
    expect(model.requests).to.have.length(1);
  });

  it('begins anew when the window of a session is over', () => {
    const scheduler = new TestScheduler(() => {});
    const told: string[] = [];
    scheduler.run(() => {
      const limits: Limit[] = [
        { of: 'steps', per: 'session', max: 1, windowMs: 10_000, onLimit: 'abort' },
        { of: 'steps', per: 'session', max: 2, windowMs: 100_000, onLimit: 'abort' },
      ];
      const pipeline = createPipeline([budget({ limits })], { scheduler });
      const model = scriptedModel(['a', 'b', 'c']);
      const agent = createAgent({ name: 'a', model, pipeline });
      for (const at of [0, 9_000, 10_001, 30_000])
        concat(timer(at).pipe(ignoreElements()), agent.run('go', { sessionId: 's' })).subscribe((event) => {
          if (event.type === 'postCall') told.push(`${at}: ${event.outcome}`);
        });
    });
    expect(told).to.deep.equal(['0: completed', '9000: aborted', '10001: completed', '30000: aborted']);
  });

  it('counts steps, those asked again too, and gives the last answer on top', async () => {
    const turns = [calling('look'), { error: 'busy' }, calling('look'), saying('end')];
    const again = defineHook({
      name: 'again',
      on: {
        error: (event) => (event.phase === 'reasoning' ? { ...event, decision: { action: 'retry' } } : event) as never,
      },
    });
    const { agent, model } = scene({ limits: [{ of: 'steps', max: 3 }], turns, more: [again] });
    expect((await agent.call('go')).outcome).to.equal('finished');
    expect(model.requests.map(({ tools }) => tools.length)).to.deep.equal([1, 1, 1, 0]);
  });

  describe('with calls', () => {
    const outcomes = async (agent: Agent, input = 'go') => {
      const events = await lastValueFrom(agent.run(input).pipe(toArray()));
      return events.flatMap((event) => (event.type === 'postActing' ? [event.outcome] : []));
    };

    it('denies a call over the limit with the reason, and lets only as many at once', async () => {
      const slow = defineTool({ ...look, execute: () => of('seen').pipe(delay(1)) });
      const turns = [calling('look', 'look', 'look', 'look'), saying('done')];
      const store = slowly(memoryStateStore());
      const { agent, model } = scene({ limits: [{ of: 'calls', max: 2 }], turns, tools: [slow], host: { store } });
      expect((await outcomes(agent)).sort()).to.deep.equal(['denied', 'denied', 'executed', 'executed']);
      expect(JSON.stringify(model.requests[1]?.messages)).to.contain(
        'Of the budget of 2 tool calls per run, 2 tool calls are spent. Answer without calling tools.',
      );
    });

    it('aborts before the next question only if a call was refused', async () => {
      const limits: Limit[] = [{ of: 'calls', max: 1, onLimit: 'abort' }];
      const enough = scene({ limits, turns: [calling('look'), saying('done')] });
      expect((await enough.agent.call('go')).outcome).to.equal('completed');
      const tooMany = scene({ limits, turns: [calling('look'), calling('look'), saying('done')] });
      expect((await tooMany.agent.call('go')).outcome).to.equal('aborted');
    });

    it('does not count a call that another approver denies, before or behind it', async () => {
      for (const priority of [1, 950]) {
        const no = defineHook({
          name: 'no',
          priority,
          approve: ({ toolCall }) => (toolCall.id === 'call_1' ? verdict.deny('no') : verdict.allow()),
        });
        const turns = [calling('look'), calling('look'), saying('done')];
        const { agent } = scene({ limits: [{ of: 'calls', max: 1, onLimit: 'abort' }], turns, more: [no] });
        expect(await outcomes(agent), `priority ${priority}`).to.deep.equal(['denied', 'executed']);
      }
    });
  });

  describe('with money', () => {
    const prices = {
      '*': { input: 1_000, output: 1_000 },
      'scr*': { input: 1_000, output: 1_000 },
      scripted: { input: 2, output: 10, cachedInput: 0.5 },
    };

    it('counts by the price of the model, and cached input by its own', async () => {
      const used = { inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 400_000 };
      const limits: Limit[] = [{ of: 'cost', max: 5, onLimit: 'warn', warnAt: 0.4 }];
      const turns = [{ ...calling('look'), usage: used }, { ...calling('look'), usage: used }, 'done'];
      const { agent, said } = scene({ limits, turns, prices, host: { countTokens: () => 0 } });
      await agent.call('go');
      expect(said.flatMap(({ code, data }) => (code === 'budget-estimated' ? [] : [data]))).to.deep.equal([
        { of: 'cost', per: 'run', max: 5, spent: 2.4 },
      ]);
      expect(said[0]?.message).to.equal('Of the budget of 5 USD per run, 2.4 USD are spent.');
    });

    it('asks no model that has no price, and says what to write', async () => {
      const { agent, model } = scene({
        limits: [{ of: 'cost', max: 5 }],
        turns: ['no'],
        prices: { 'other-*': { input: 1, output: 1 } },
      });
      const { outcome, reason } = await agent.call('go');
      expect(outcome).to.equal('failed');
      expect(reason).to.contain('has no price for the model "scripted"');
      expect(reason).to.contain(`prices: { "scripted": { input: .., output: .. } }, or use '*'`);
      expect(model.requests).to.have.length(0);
    });
  });

  describe('with usage that nobody reports', () => {
    it('counts the tokens, and marks them as estimated', async () => {
      const turns = [{ toolCalls: [{ name: 'look', input: {} }] }, 'End.'];
      const host = { countTokens: (text: string) => text.length };
      const { agent, said, model } = scene({ limits: [{ of: 'tokens', max: 10 }], turns, host });
      await agent.call('Where is it?');
      expect(said.map(({ code }) => code)).to.deep.equal([
        'budget-estimated',
        'budget-spent',
        'budget-last',
        'budget-estimated',
      ]);
      const { inputTokens, outputTokens } = (said[0]?.data ?? {}) as { inputTokens: number; outputTokens: number };
      expect(inputTokens).to.be.greaterThan('Where is it?'.length);
      const sum = inputTokens + outputTokens;
      expect(JSON.stringify(model.requests[1]?.messages)).to.contain(`(${sum} tokens of that estimated)`);
    });

    it('counts what was said before a failure, and before a cancel', async () => {
      for (const cut of ['fail', 'cancel']) {
        const store = memoryStateStore();
        const host = { countTokens: (text: string) => text.length, store };
        const limits: Limit[] = [{ of: 'tokens', per: 'session', max: 50, onLimit: 'abort' }];
        const turns = [{ text: 'x'.repeat(60), ...(cut === 'fail' && { error: 'lost' }) }, saying('more')];
        const { agent } = scene({ limits, turns, host });
        if (cut === 'fail') await agent.call('go', { sessionId: 's' });
        else {
          const controller = new AbortController();
          agent.run('go', { sessionId: 's', signal: controller.signal }).subscribe((event) => {
            if (event.type === 'reasoningChunk') controller.abort();
          });
        }
        expect((await agent.call('go', { sessionId: 's' })).outcome, cut).to.equal('aborted');
      }
    });
  });

  describe('with time', () => {
    it('counts while the run lives, once for sub-agents at once, and not while it is suspended', () => {
      const scheduler = new TestScheduler(() => {});
      const told: string[] = [];
      scheduler.run(() => {
        const store = memoryStateStore({ now: () => scheduler.now() });
        const make = () => {
          const slow = defineTool({ ...look, execute: () => of('seen').pipe(delay(2_000)) });
          const child = createAgent({
            name: 'child',
            model: scriptedModel([calling('look'), calling('look'), saying('c'), saying('c')]),
            tools: [slow],
          });
          const ask = defineHook({
            name: 'ask',
            match: { tools: ['risky'] },
            approve: () => verdict.suspend('May it?'),
          });
          const limits: Limit[] = [{ of: 'ms', max: 3_000, onLimit: 'abort' }];
          const pipeline = createPipeline([budget({ limits }, { store }), ask], { scheduler });
          const tools = [agentTool(child, { description: 'helps' }), defineTool({ ...slow, name: 'risky' })];
          return { pipeline, tools };
        };
        const turns = [calling('child', 'child'), calling('risky'), saying('late'), saying('never')];
        const model = scriptedModel(turns);
        const first = createAgent({ name: 'a', model, ...make() });
        first.run('go', { sessionId: 's' }).subscribe((event) => {
          if (event.type !== 'postCall' || event.run.depth > 0) return;
          told.push(`${scheduler.now()}: ${event.outcome}`);
          const snapshot = event.snapshot as never as { pending: { key: string }[]; transcript: Message[] };
          const key = snapshot.pending[0]?.key as string;
          const second = createAgent({ name: 'a', model, ...make(), transcript: keeping(snapshot.transcript) });
          concat(
            timer(1_000_000).pipe(ignoreElements()),
            second.resume(snapshot as never, { [key]: { approved: true } }),
          ).subscribe((later) => {
            if (later.type === 'postCall') told.push(`${scheduler.now()}: ${tell(later)}`);
          });
        });
      });
      expect(told).to.deep.equal([
        '2000: suspended',
        '1004000: aborted: hook "budget": Of the budget of 3 s per run, 4 s are spent.',
      ]);
    });
  });

  it('has counted the time of a run when the next one begins', () => {
    const scheduler = new TestScheduler(() => {});
    const told: string[] = [];
    scheduler.run(() => {
      const store = slowly(memoryStateStore({ now: () => scheduler.now() }));
      const limits: Limit[] = [{ of: 'ms', per: 'session', max: 1_000, onLimit: 'abort' }];
      const pipeline = createPipeline([budget({ limits }, { store })], { scheduler });
      const model = scriptedModel(['a', 'b'], { delayMs: 1_000, scheduler });
      const agent = createAgent({ name: 'a', model, pipeline });
      concat(agent.run('go', { sessionId: 's' }), agent.run('go', { sessionId: 's' })).subscribe((event) => {
        if (event.type === 'postCall') told.push(event.outcome);
      });
    });
    expect(told).to.deep.equal(['completed', 'aborted']);
  });

  describe('of a run and its sub-agents', () => {
    it('is one: what a sub-agent spends its parent has not, and the other way round', async () => {
      const child = createAgent({
        name: 'child',
        model: scriptedModel([saying('one'), saying('two'), saying('three')]),
      });
      const turns = [calling('child', 'child'), calling('child'), saying('all I know')];
      const { agent, model } = scene({
        limits: [{ of: 'tokens', max: 400 }],
        turns,
        tools: [agentTool(child, { description: 'helps' })],
      });
      const { outcome } = await agent.call('go', { sessionId: 's' });
      expect(outcome).to.equal('finished');
      expect(model.requests.map(({ tools }) => tools.length)).to.deep.equal([1, 1, 0]);
      expect(JSON.stringify(model.requests[2]?.messages)).to.contain('A run cannot begin without any left.');
    });
  });

  describe('over a suspension', () => {
    it('goes on in another process with what was spent before, and counts a suspended call once', async () => {
      const store = memoryStateStore();
      const ask = defineHook({ name: 'ask', approve: () => verdict.suspend('May it?') });
      const limits: Limit[] = [
        { of: 'tokens', max: 200 },
        { of: 'calls', max: 1, onLimit: 'abort' },
      ];
      const first = scene({ limits, turns: [calling('look')], host: { store }, more: [ask] });
      const { snapshot } = await first.agent.call('go', { sessionId: 's' });
      const parsed = JSON.parse(JSON.stringify(snapshot)) as { pending: { key: string }[]; transcript: Message[] };
      const second = scene({ limits, turns: [calling('look'), saying('no')], host: { store }, more: [ask] });
      const agent = createAgent({
        name: 'a',
        model: second.model,
        tools: [look],
        pipeline: second.pipeline,
        transcript: keeping(parsed.transcript),
      });
      const answers = { [parsed.pending[0]?.key as string]: { approved: true } };
      const events = await lastValueFrom(agent.resume(parsed as never, answers).pipe(toArray()));
      const acts = events.flatMap((event) => (event.type === 'postActing' ? [event.outcome] : []));
      expect(acts).to.deep.equal(['executed', 'denied']);
      expect(second.said.map(({ data }) => data)).to.deep.include({ of: 'tokens', per: 'run', max: 200, spent: 200 });
    });

    it('gives back a call that somebody has said no to', async () => {
      const ask = defineHook({
        name: 'ask',
        approve: ({ toolCall }) => (toolCall.id === 'call_1' ? verdict.suspend('May it?') : verdict.allow()),
      });
      const turns = [calling('look'), calling('look'), saying('done')];
      const { agent } = scene({ limits: [{ of: 'calls', max: 1, onLimit: 'abort' }], turns, more: [ask] });
      const { snapshot } = await agent.call('go', { sessionId: 's' });
      const [pending] = (snapshot as never as { pending: { key: string }[] }).pending;
      const answers = { [pending?.key as string]: { approved: false } };
      const events = await lastValueFrom(agent.resume(snapshot as never, answers).pipe(toArray()));
      const acts = events.flatMap((event) => (event.type === 'postActing' ? [event.outcome] : []));
      expect(acts).to.deep.equal(['denied', 'executed']);
    });
  });

  it('counts what was used also where another hook ends the run, and nothing where one answers', async () => {
    const ender = defineHook({
      name: 'ender',
      on: { postReasoning: (event) => ({ ...event, decision: { action: 'finish' } }) as never },
    });
    const limits: Limit[] = [{ of: 'tokens', per: 'session', max: 100, onLimit: 'abort' }];
    const { agent } = scene({ limits, turns: [saying('one'), saying('two')], more: [ender] });
    expect((await ends(agent, ['s', 's'])).map((told) => told.split(':')[0])).to.deep.equal(['finished', 'aborted']);
    const cache = defineHook({ name: 'cache', around: { reasoning: () => of({ type: 'text', delta: 'kept' }) } });
    const cached = scene({ limits, turns: [], more: [cache] });
    expect(await ends(cached.agent, ['s', 's', 's'])).to.deep.equal(['completed', 'completed', 'completed']);
  });

  it('denies calls, and lets no question through, when the store fails', async () => {
    const down = () => throwError(() => new Error('disk full'));
    const full = { ...memoryStateStore(), get: down, add: down };
    for (const resource of ['tokens', 'calls', 'steps', 'cost', 'ms'] as const) {
      const limits: Limit[] = [{ of: resource, max: 9 }];
      const { agent, model } = scene({
        limits,
        turns: ['no'],
        prices: { '*': { input: 1, output: 1 } },
        host: { store: full },
      });
      expect((await agent.call('go')).outcome, resource).to.equal('failed');
      expect(model.requests, resource).to.have.length(0);
    }
    const run = createPipeline([budget({ limits: [{ of: 'calls', max: 9 }] }, { store: full })]).start({ agent: 'a' });
    const events = await lastValueFrom(run.act({ id: 'c', name: 'look', input: {} }, [look]).pipe(toArray()));
    expect(events.at(-1)).to.include({ type: 'postActing', outcome: 'denied' });
  });

  it('keeps the counts of a run that has ended for a day, and of one that is suspended for long', async () => {
    const kept = async (more: readonly Hook[]) => {
      const store = memoryStateStore();
      const before = Date.now();
      const { agent, pipeline } = scene({
        limits: [{ of: 'calls', max: 9 }],
        turns: [calling('look'), 'x'],
        more,
        host: { store },
      });
      await agent.call('go');
      await pipeline.flush();
      const [key] = await lastValueFrom(store.list(['budget']));
      const entry = await lastValueFrom(store.get(key as never));
      return Math.round(((entry?.expiresAt ?? 0) - before) / (24 * 3_600_000));
    };
    expect(await kept([])).to.equal(1);
    expect(await kept([defineHook({ name: 'ask', approve: () => verdict.suspend('May it?') })])).to.equal(90);
  });

  it('names what is wrong with its options', () => {
    const prices = { '*': { input: 1, output: 1 } };
    for (const [options, told] of [
      [{ limits: [] }, /limits: needs at least one limit/],
      [{ limits: [{ of: 'tokens', max: 0 }] }, /limits\.0\.max/],
      [{ limits: [{ of: 'tokens', max: 5, warnAt: 1.5 }] }, /limits\.0\.warnAt/],
      [{ limits: [{ of: 'tokens', max: 5, windowMs: 5 }] }, /limits\.0\.windowMs: goes with per: session or user/],
      [{ limits: [{ of: 'cost', max: 5 }] }, /limits\.0\.of: cost needs prices, such as/],
      [{ limits: [{ of: 'cost', max: 5 }], prices: { m: { input: -1, output: 1 } } }, /prices\.m\.input/],
      [
        {
          prices,
          limits: [
            { of: 'cost', max: 5 },
            { of: 'cost', max: 6 },
          ],
        },
        /limits\.1: says the same as limits\.0; keep one of them/,
      ],
    ] as const) {
      expect(() => budget(options as never))
        .to.throw(told)
        .with.property('code', 'OPTIONS_INVALID');
      try {
        budget(options as never);
      } catch (thrown) {
        expect((thrown as Error).message.split('\n')).to.have.length(2);
      }
    }
  });

  it('keeps the contract of hooks', () =>
    hookContract(
      budget(
        {
          limits: (['tokens', 'cost', 'steps', 'calls', 'ms'] as const).map((of) => ({ of, max: 1e9 })),
          prices: { '*': { input: 1, output: 1 } },
        },
        { countTokens: (text) => text.length },
      ),
    ));
});

/** A store that takes its time, so that calls at once come between each other. */
function slowly(store: ReturnType<typeof memoryStateStore>): ReturnType<typeof memoryStateStore> {
  return {
    ...store,
    get: (key) => store.get(key).pipe(delay(1)),
    add: (...args) => store.add(...args).pipe(delay(1)),
  };
}

/** The conversation of the session `s` up to its suspension, as another process finds it. */
function keeping(messages: readonly Message[]): TranscriptStore {
  const transcript = memoryTranscript();
  transcript.append('s', messages);
  return transcript;
}
