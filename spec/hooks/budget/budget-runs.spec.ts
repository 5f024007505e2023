import { expect } from 'chai';
import { concat, delay, ignoreElements, lastValueFrom, of, timer, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import type { Message } from '../../../lib/events/parts/message.ts';
import { budget } from '../../../lib/hooks/budget/budget.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../../lib/pipeline/define/hook.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { calling, keeping, type Limit, look, saying, scene, slowly, tell } from './budget-scene.ts';

describe('budget over time and runs', () => {
  it('resets when the window of a session ends', () => {
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

  describe('with time', () => {
    it('counts while the run is active, once for concurrent sub-agents, and not while suspended', () => {
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
        '1004000: aborted: hook "budget": 4 s of the budget of 3 s per run are spent.',
      ]);
    });
  });

  it('has stored the time of a run when the next one starts', () => {
    const scheduler = new TestScheduler(() => {});
    const told: string[] = [];
    scheduler.run(() => {
      const store = slowly(memoryStateStore({ now: () => scheduler.now() }), 20);
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
    it('is shared: what one spends is gone for the other', async () => {
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
      expect(JSON.stringify(model.requests[2]?.messages)).to.contain('A new run cannot start.');
    });
  });

  describe('over a suspension', () => {
    it('continues in another process with its count, and counts a suspended call once', async () => {
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

    it('refunds a call that a person denied', async () => {
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

  it('keeps the counts of ended runs for a day, and of suspended ones for longer', async () => {
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
});
