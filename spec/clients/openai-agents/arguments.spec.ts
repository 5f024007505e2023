import { expect } from 'chai';
import { type HookDefinition, modify } from '../../../lib/index.ts';
import { call, type Result, scene } from './scene.ts';

const redacts: HookDefinition = {
  name: 'redacts',
  on: {
    postReasoning: (event) =>
      modify(event, { message: JSON.parse(JSON.stringify(event.message).replaceAll('swordfish', '[gone]')) }),
  },
};

describe('arguments of a model of OpenAI Agents that are no object', () => {
  for (const stream of [false, true])
    it(`run nothing, where a hook changes what is told of them, too (${stream ? 'streamed' : 'whole'})`, async () => {
      for (const hooks of [[], [redacts]]) {
        const turns = [{ calls: [call('c1', 'wipe', 'swordfish' as never)] }, { chunks: ['Done.'] }];
        const { run, agent, tool, model, ran } = scene(turns, hooks);
        const one = agent('one', { tools: [tool('wipe')] });
        const { state, completed } = await run(one, 'Go!', { stream });
        await completed;
        // The host asks about arguments that it cannot read.
        for (const question of state.getInterruptions()) state.approve(question);
        await (await run(one, state, { stream })).completed;
        expect(ran).to.deep.equal([]);
        const asked = JSON.stringify((model.requests[1] as Result).input);
        expect(asked).to.include('must be a JSON object');
        if (hooks.length > 0) expect(asked).to.not.include('swordfish');
      }
    });
});
