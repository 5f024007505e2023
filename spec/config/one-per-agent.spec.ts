import { expect } from 'chai';
import { createHookConfigs, createLiveHooks, issuesOf, memoryStore } from 'hookline/config';
import { read, shown, written } from './read.ts';

const answer = (more: object = {}) => ({
  type: 'structured-output',
  options: { schema: { type: 'object', properties: { a: { type: 'number' } } } },
  ...more,
});

describe('a hook limited to one per agent', () => {
  it('is rejected twice for the same agents', () => {
    expect(shown(read({ hooks: { one: answer(), two: answer() } }))).to.deep.equal([
      'c.json:17:15 hooks.two.type: an agent can have only one hook of type structured-output, and "one" is one. Remove one, or limit each to its own agents: match: { agents: [..] }.',
    ]);
    const both = { one: answer({ match: { agents: ['a', 'b'] } }), two: answer({ match: { agents: ['b'] } }) };
    expect(shown(read({ hooks: both }))).to.have.length(1);
  });

  it('may exist several times for different agents, or with only one enabled', () => {
    for (const hooks of [
      { one: answer({ match: { agents: ['a'] } }), two: answer({ match: { agents: ['b'] } }) },
      { one: answer({ enabled: false }), two: answer() },
      { one: { type: 'timing' }, two: { type: 'timing' } },
    ])
      expect(shown(read({ hooks }))).to.deep.equal([]);
  });

  it('is rejected in a layer over a file that has one', async () => {
    const live = await createLiveHooks({ files: [written({ 'c.json': { hooks: { one: answer() } } })('c.json')] });
    try {
      const configs = createHookConfigs(live, memoryStore());
      const saving = configs.save({ user: 'alice' }, JSON.stringify({ hooks: { mine: answer() } }), 'layer');
      const thrown = await saving.catch((error: unknown) => error);
      expect(issuesOf(thrown)?.map(({ message }) => message)).to.match(/only one hook of type structured-output/);
    } finally {
      await live.close();
    }
  });
});
