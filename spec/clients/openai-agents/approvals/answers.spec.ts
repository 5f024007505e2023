import { Runner } from '@openai/agents-core';
import { expect } from 'chai';
import { withHooks } from '../../../../lib/adapters/openai-agents/index.ts';
import { createPipeline, verdict } from '../../../../lib/index.ts';
import { call, errorOf, type Result, scene } from '../scene.ts';

const asks = { name: 'asks', approve: () => verdict.suspend('Really?') };
const turns = [{ calls: [call('c1', 'look', { at: '/a' })] }, { chunks: ['Done.'] }];

async function waiting() {
  const made = scene(turns, [asks]);
  const one = made.agent('one', { tools: [made.tool('look')] });
  const { state }: Result = await made.run(one, 'Go!');
  return { ...made, answer: (answers: unknown) => made.run(one, state, { hookline: { answers } }) };
}

describe('answers to calls of OpenAI Agents', () => {
  for (const approved of ['false', 'no', 'true', 0, 1, null, undefined, {}])
    it(`are invalid with approved: ${JSON.stringify(approved)}: nothing runs, and the error states the reason`, async () => {
      const { answer, ran, model, recorded } = await waiting();
      const said = await errorOf(() => answer({ c1: { approved } }));
      expect(said).to.include('"c1"').and.include('approved must be true or false');
      expect([ran, model.requests.length, recorded.of('preCall').length]).to.deep.equal([[], 1, 1]);
      expect((await answer({ c1: { approved: true } })).finalOutput).to.equal('Done.');
      expect(ran).to.deep.equal(['look {"at":"/a"}']);
    });

  it('are rejected if they are not answers by id', async () => {
    const { answer, ran } = await waiting();
    for (const answers of [5, 'yes', [{ approved: true }], null])
      expect(await errorOf(() => answer(answers))).to.include('answers must be an object by call ID');
    for (const one of [true, 'yes', null, [true]])
      expect(await errorOf(() => answer({ c1: one }))).to.include('approved must be true or false');
    const options = { agent: 'a', answers: { c1: { approved: 'no' } } };
    expect(await errorOf(() => withHooks(new Runner(), createPipeline([]), options as never))).to.include('"c1"');
    expect(ran).to.deep.equal([]);
  });

  it('are rejected if their edited input is not an object, as another would run', async () => {
    const { answer, ran } = await waiting();
    for (const input of ['{"at":"/b"}', [1], null, 5])
      expect(await errorOf(() => answer({ c1: { approved: true, input } }))).to.include('input must be an object');
    expect(ran).to.deep.equal([]);
  });
});
