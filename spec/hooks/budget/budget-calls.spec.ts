import { expect } from 'chai';
import { delay, lastValueFrom, of, toArray } from 'rxjs';
import type { Agent } from '../../../lib/agent/agent.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { verdict } from '../../../lib/pipeline/define/hook.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { calling, type Limit, look, saying, scene, slowly } from './budget-scene.ts';

describe('budget of calls', () => {
  const outcomes = async (agent: Agent, input = 'go') => {
    const events = await lastValueFrom(agent.run(input).pipe(toArray()));
    return events.flatMap((event) => (event.type === 'postActing' ? [event.outcome] : []));
  };

  it('denies a call over the limit with the reason, also among concurrent calls', async () => {
    const slow = defineTool({ ...look, execute: () => of('seen').pipe(delay(1)) });
    const turns = [calling('look', 'look', 'look', 'look'), saying('done')];
    const store = slowly(memoryStateStore());
    const { agent, model } = scene({ limits: [{ of: 'calls', max: 2 }], turns, tools: [slow], host: { store } });
    expect((await outcomes(agent)).sort()).to.deep.equal(['denied', 'denied', 'executed', 'executed']);
    expect(JSON.stringify(model.requests[1]?.messages)).to.contain(
      '2 tool calls of the budget of 2 tool calls per run are spent. Answer without calling tools.',
    );
  });

  it('aborts before the next model request only if a call was denied', async () => {
    const limits: Limit[] = [{ of: 'calls', max: 1, onLimit: 'abort' }];
    const enough = scene({ limits, turns: [calling('look'), saying('done')] });
    expect((await enough.agent.call('go')).outcome).to.equal('completed');
    const tooMany = scene({ limits, turns: [calling('look'), calling('look'), saying('done')] });
    expect((await tooMany.agent.call('go')).outcome).to.equal('aborted');
  });

  it('does not count a call that an earlier or later approver denies', async () => {
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
