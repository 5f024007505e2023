import { expect } from 'chai';
import { lastValueFrom, throwError, toArray } from 'rxjs';
import { budget } from '../../../lib/hooks/budget/budget.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { askAgain, calling, ends, type Limit, look, saying, scene, tell } from './budget-scene.ts';

describe('budget', () => {
  it('allows one last answer without tools at the limit and keeps that out of the transcript', async () => {
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
    expect(JSON.stringify(hint)).to.contain('200 tokens of the budget of 150 tokens per run are spent.');
    expect(codes()).to.deep.equal(['budget-spent', 'budget-last']);
  });

  it('runs no call from a last answer and allows no retry of it', async () => {
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
      'aborted: hook "budget": 40 output tokens of the budget of 40 output tokens per run are spent.',
    );
    expect(model.requests).to.have.length(1);
  });

  it('applies the strictest action of its limits', async () => {
    const limits: Limit[] = [
      { of: 'tokens', max: 100 },
      { of: 'tokens', max: 100, onLimit: 'warn' },
      { of: 'steps', max: 1 },
      { of: 'tokens', per: 'session', max: 100, onLimit: 'abort' },
    ];
    const { agent } = scene({ limits, turns: [calling('look'), saying('no')] });
    expect((await agent.call('go')).outcome).to.equal('aborted');
  });

  it('warns once at the fraction and once at the limit, in notes and in the log', async () => {
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

  it('counts a run, a session and a user separately', async () => {
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

  it('allows no last answer in a run that starts with a spent budget', async () => {
    const limits: Limit[] = [{ of: 'tokens', per: 'session', max: 100 }];
    const { agent, model } = scene({ limits, turns: [saying('one'), saying('two')] });
    expect(await ends(agent, ['s', 's'])).to.deep.equal([
      'completed',
      'aborted: hook "budget": 100 tokens of the budget of 100 tokens per session are spent. A new run cannot start.',
    ]);
    expect(model.requests).to.have.length(1);
  });

  it('counts steps, retried ones too, and allows the last answer on top', async () => {
    const turns = [calling('look'), { error: 'busy' }, calling('look'), saying('end')];
    const { agent, model } = scene({ limits: [{ of: 'steps', max: 3 }], turns, more: [askAgain] });
    expect((await agent.call('go')).outcome).to.equal('finished');
    expect(model.requests.map(({ tools }) => tools.length)).to.deep.equal([1, 1, 1, 0]);
  });

  it('denies calls and blocks model requests when the store fails', async () => {
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

  it('rejects invalid options', () => {
    const prices = { '*': { input: 1, output: 1 } };
    for (const [options, told] of [
      [{ limits: [] }, /limits: must contain at least one limit/],
      [{ limits: [{ of: 'tokens', max: 0 }] }, /limits\.0\.max/],
      [{ limits: [{ of: 'tokens', max: 5, warnAt: 1.5 }] }, /limits\.0\.warnAt/],
      [{ limits: [{ of: 'tokens', max: 5, windowMs: 5 }] }, /limits\.0\.windowMs: requires per: session or user/],
      [{ limits: [{ of: 'cost', max: 5 }] }, /limits\.0\.of: requires prices, such as/],
      [{ limits: [{ of: 'cost', max: 5 }], prices: { m: { input: -1, output: 1 } } }, /prices\.m\.input/],
      [
        {
          prices,
          limits: [
            { of: 'cost', max: 5 },
            { of: 'cost', max: 6 },
          ],
        },
        /limits\.1: duplicates limits\.0; remove one of them/,
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

  it('keeps the hook contract', () =>
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
