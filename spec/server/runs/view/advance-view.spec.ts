import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import {
  createAgent,
  createPipeline,
  defineHook,
  memoryTranscript,
  type SettledEvent,
  toAsyncIterable,
  verdict,
} from 'hookline';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import type { RunView } from '../../../../lib/server/runs/run-view.ts';
import { advanceView } from '../../../../lib/server/runs/view/advance-view.ts';
import { aHouse, asking, paying } from '../a-house.ts';

const BEGUN: RunView = {
  runId: 'r',
  sessionId: 's',
  agent: 'a',
  state: 'running',
  startedAt: '2026-01-01T00:00:00.000Z',
};

/** Returns each event of a run with the activity in its view after it. */
async function story(): Promise<readonly (readonly [SettledEvent['type'], RunView])[]> {
  const guard = defineHook({
    name: 'guard',
    match: { tools: ['deploy'] },
    approve: () => verdict.deny('no'),
  });
  const agent = createAgent({
    name: 'a',
    model: scriptedModel([
      { toolCalls: ['list', 'list', 'deploy'].map((name) => ({ name, input: {} })) },
      { text: 'done' },
    ]),
    tools: [
      scriptedTool({ name: 'list', permission: 'read', result: 'x', delayMs: 1 }),
      scriptedTool({ name: 'deploy', result: 'x' }),
    ],
    pipeline: createPipeline([guard]),
    transcript: memoryTranscript(),
  });
  const told: [SettledEvent['type'], RunView][] = [];
  let view = BEGUN;
  for await (const event of toAsyncIterable(agent.run('go'))) {
    view = advanceView(view, event);
    told.push([event.type, view]);
  }
  return told;
}

describe('the view of a run', () => {
  it('shows the model request or the active tools, since the first began', async () => {
    const told = await story();
    const doing = told
      .filter(([type]) => !type.endsWith('Chunk'))
      .map(
        ([type, view]) =>
          `${type}: ${[view.doing?.what, ...(view.doing?.tools ?? [])].filter(Boolean).join(' ') || 'nothing'}`,
      );
    expect(doing).to.deep.equal([
      'preCall: nothing',
      'preReasoning: reasoning',
      'postReasoning: nothing',
      'preActing: acting list',
      'preActing: acting list list',
      'postActing: acting list',
      'postActing: nothing',
      'preActing: acting deploy',
      'postActing: nothing',
      'preReasoning: reasoning',
      'postReasoning: nothing',
      'postCall: nothing',
    ]);
    const both = told.flatMap(([, view]) => (view.doing?.tools?.length === 2 ? [view.doing.since] : []));
    const [first] = told.flatMap(([, view]) => (view.doing?.tools ? [view.doing.since] : []));
    expect(new Set(both)).to.deep.equal(new Set([first]));
  });

  it('lists the hooks that made a decision, without duplicates', async () => {
    const told = await story();
    expect(told.at(-1)?.[1].decidedBy).to.deep.equal(['guard']);
    expect(told[1]?.[1].decidedBy).to.equal(undefined);
  });

  it('lists all hooks that ask about a call together', async () => {
    const { runs } = aHouse({ hooks: [asking('rules'), asking('budget')], model: paying() });
    const { runId } = await runs.start('ada', { prompt: 'Pay' });
    for (;;) {
      const { state, decidedBy } = await runs.find('ada', runId);
      if (state === 'running') await sleep(2);
      else return void expect(decidedBy).to.deep.equal(['rules', 'budget']);
    }
  });
});
