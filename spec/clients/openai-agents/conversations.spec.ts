import { expect } from 'chai';
import { modify, userMessage, verdict } from '../../../lib/index.ts';
import { call, type Result, scene, warnings } from './scene.ts';

/** Removes a word from the first messages of a run and adds a message. */
const pre = {
  name: 'pre',
  on: {
    preCall: (event: { messages: readonly object[] }) => {
      const clean = JSON.parse(JSON.stringify(event.messages).replaceAll('swordfish', '***'));
      return modify(event as never, { messages: [...clean, userMessage('Be brief.')] } as never);
    },
  },
} as never;
const asks = { name: 'asks', approve: () => verdict.suspend('Really?') };
const turns = [{ calls: [call('c1', 'look')] }, { chunks: ['Done.'] }];

function inputsOf(requests: readonly object[]): readonly string[] {
  return requests.map((request) => JSON.stringify((request as Result).input));
}

describe('conversations stored by the provider of OpenAI Agents', () => {
  for (const kept of [{ conversationId: 'conv_1' }, { previousResponseId: 'resp_1' }])
    for (const stream of [false, true])
      it(`start with the messages as changed by preCall, once (${Object.keys(kept)[0]}, ${stream ? 'streamed' : 'whole'})`, async () => {
        const { run, agent, tool, model } = scene(turns, [pre]);
        const result = await run(agent('one', { tools: [tool('look')] }), 'My swordfish.', { ...kept, stream });
        await result.completed;
        const [first, second] = inputsOf(model.requests);
        expect(first).to.include('My ***.').and.include('Be brief.').and.not.include('swordfish');
        expect(second).to.include('looked').and.not.include('My ').and.not.include('Be brief.');
      });

  it('log a warning if a resumed run cannot change their content', async () => {
    const { lines, log } = warnings();
    const { run, agent, tool, model, ran } = scene(turns, [pre, asks], {}, undefined, log);
    const one = agent('one', { tools: [tool('look')] });
    const { state } = await run(one, 'My swordfish.', { conversationId: 'conv_1' });
    for (const question of state.getInterruptions()) state.approve(question);
    expect(lines).to.deep.equal([]);
    await run(one, state, { conversationId: 'conv_1' });
    expect(ran).to.have.length(1);
    expect(inputsOf(model.requests)[1]).to.include('looked').and.not.include('swordfish');
    expect(lines.filter((line) => line.includes('changes of preCall are missing'))).to.have.length(1);
  });
});
