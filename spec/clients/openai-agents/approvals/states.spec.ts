import { expect } from 'chai';
import { verdict } from '../../../../lib/index.ts';
import { call, type Result, scene } from '../scene.ts';

const asks = { name: 'asks', approve: () => verdict.suspend('Really?') };
const turns = [{ calls: [call('c1', 'look', { at: '/a' })] }, { chunks: ['Done.'] }];

class Session {
  #looks = 0;

  look(): number {
    this.#looks += 1;
    return this.#looks;
  }
}

function cyclic(): object {
  const one: { self?: object } = {};
  one.self = one;
  return one;
}

const contexts: { readonly [what: string]: () => object } = {
  'a class instance': () => new Session(),
  'a circular one': cyclic,
  'one with a bigint': () => ({ big: 1n }),
  'a plain one': () => ({ n: 1 }),
};

describe('OpenAI Agents states in the process that made them', () => {
  for (const [what, make] of Object.entries(contexts))
    for (const stream of [false, true])
      it(`continue with the same context object, ${what} (${stream ? 'streamed' : 'whole'})`, async () => {
        const { run, agent, tool } = scene(turns, [asks]);
        const context = make();
        const seen: unknown[] = [];
        const looks = tool('look', undefined, {
          execute: (_: unknown, given: { context: object }) => {
            seen.push(given.context);
            return given.context instanceof Session ? `look ${given.context.look()}` : 'looked';
          },
        });
        const one = agent('one', { tools: [looks] });
        const { state }: Result = await run(one, 'Go!', { context });
        for (const question of state.getInterruptions()) state.approve(question);
        const after = await run(one, state, { stream });
        await after.completed;
        expect(after.finalOutput).to.equal('Done.');
        expect(seen).to.have.length(1);
        expect(seen[0]).to.equal(context);
        expect([state._context.context, after.state._context.context].every((one) => one === context)).to.equal(true);
      });

  it('stay unchanged: the result has the continued state', async () => {
    const { run, agent, tool } = scene(turns, [asks]);
    const one = agent('one', { tools: [tool('look')] });
    const { state }: Result = await run(one, 'Go!');
    for (const question of state.getInterruptions()) state.approve(question);
    const after = await run(one, state);
    expect([state.getInterruptions().length, after.state.getInterruptions().length]).to.deep.equal([1, 0]);
  });
});
