import { expect } from 'chai';
import { map, of } from 'rxjs';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { HookContext } from '../../../lib/pipeline/define/hook-context.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { askAgain, calling, ends, type Limit, saying, scene, slowly } from './budget-scene.ts';

describe('budget of tokens and money', () => {
  describe('with money', () => {
    const prices = {
      '*': { input: 1_000, output: 1_000 },
      'scr*': { input: 1_000, output: 1_000 },
      scripted: { input: 2, output: 10, cachedInput: 0.5 },
    };

    it('counts by the price of the model, with a separate price for cached input', async () => {
      const used = { inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 400_000 };
      const limits: Limit[] = [{ of: 'cost', max: 5, onLimit: 'warn', warnAt: 0.4 }];
      const turns = [{ ...calling('look'), usage: used }, { ...calling('look'), usage: used }, 'done'];
      const { agent, said } = scene({ limits, turns, prices, host: { countTokens: () => 0 } });
      await agent.call('go');
      expect(said.flatMap(({ code, data }) => (code === 'budget-estimated' ? [] : [data]))).to.deep.equal([
        { of: 'cost', per: 'run', max: 5, spent: 2.4 },
      ]);
      expect(said[0]?.message).to.equal('2.4 USD of the budget of 5 USD per run are spent.');
    });

    it('rejects a model without a price, also if another hook selects it', async () => {
      const other = scriptedModel(['no'], { modelId: 'other' });
      const swap = defineHook({ name: 'swap', around: { reasoning: (_, next) => next({}, other) } });
      const { agent } = scene({
        limits: [{ of: 'cost', max: 5 }],
        turns: ['no'],
        prices: { scr: prices['*'], scripted: prices['*'] },
        more: [swap],
      });
      const { outcome, reason } = await agent.call('go');
      expect(outcome).to.equal('failed');
      expect(reason).to.contain('has no price for the model "other"');
      expect(other.requests).to.have.length(0);
    });

    it('counts by the price of the model that another hook selects', async () => {
      const used = { inputTokens: 1_000_000, outputTokens: 0 };
      for (const [modelId, spent] of [
        ['cheap', 1],
        ['dear', 4],
      ] as const) {
        const other = scriptedModel([{ text: 'ok', usage: used }], { modelId });
        const swap = defineHook({ name: 'swap', around: { reasoning: (_, next) => next({}, other) } });
        const { agent, said } = scene({
          limits: [{ of: 'cost', max: 1, onLimit: 'warn' }],
          turns: ['no'],
          prices: { scripted: { input: 9, output: 9 }, cheap: { input: 1, output: 1 }, dear: { input: 4, output: 1 } },
          more: [swap, defineHook({ name: 'late', priority: 999, on: { postCall: (event) => event } })],
        });
        await agent.call('go');
        expect(said.length === 0 ? undefined : said[0]?.data).to.deep.include({ spent });
      }
    });

    it('rejects a model without a price and shows what to configure', async () => {
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

  describe('with model requests of hooks', () => {
    const asks = (type: 'preReasoning' | 'postCall') => {
      const other = scriptedModel([saying('1'), saying('2'), saying('3')]);
      const handler = (event: never, { ask }: HookContext) =>
        ask({ messages: ['Is it so?'] }, { model: other }).pipe(map(() => event));
      return defineHook({ name: 'asks', on: { [type]: handler } });
    };

    it('counts them once, before the next model step', async () => {
      const limits: Limit[] = [{ of: 'tokens', max: 350, onLimit: 'abort' }];
      const turns = [calling('look'), calling('look'), saying('done')];
      const { agent, model } = scene({ limits, turns, more: [asks('preReasoning')] });
      const { outcome, reason } = await agent.call('go');
      expect(outcome).to.equal('aborted');
      expect(reason).to.contain('500 tokens of the budget');
      expect(model.requests).to.have.length(2);
    });

    it('counts those after the last model step', async () => {
      const limits: Limit[] = [{ of: 'tokens', per: 'session', max: 150, onLimit: 'abort' }];
      const { agent, pipeline } = scene({ limits, turns: [saying('a'), saying('b')], more: [asks('postCall')] });
      expect((await agent.call('go', { sessionId: 's' })).outcome).to.equal('completed');
      await pipeline.flush();
      expect((await agent.call('go', { sessionId: 's' })).outcome).to.equal('aborted');
    });

    it('counts their cost at the price of their own model', async () => {
      const limits: Limit[] = [{ of: 'cost', max: 1.5, onLimit: 'warn' }];
      const prices = { scripted: { input: 10_000, output: 0 } };
      const { agent, said } = scene({
        limits,
        turns: [calling('look'), saying('a')],
        prices,
        more: [asks('preReasoning')],
      });
      await agent.call('go');
      expect(said.map(({ data }) => (data as { spent: number }).spent)).to.deep.equal([1.8]);
    });
  });

  describe('with usage that no provider reports', () => {
    it('counts the tokens and marks them as estimated', async () => {
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

    it('has counted the usage of a failed model request before the retry', async () => {
      const host = { countTokens: (text: string) => text.length, store: slowly(memoryStateStore()) };
      const limits: Limit[] = [{ of: 'tokens', max: 50, onLimit: 'abort' }];
      const turns = [{ text: 'x'.repeat(60), error: 'lost' }, saying('more')];
      const { agent, model } = scene({ limits, turns, host, more: [askAgain] });
      expect((await agent.call('go')).outcome).to.equal('aborted');
      expect(model.requests).to.have.length(1);
    });

    it('counts text streamed before a failure or a cancellation', async () => {
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

  it('counts usage also if another hook ends the run, but not if a hook answers', async () => {
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
});
