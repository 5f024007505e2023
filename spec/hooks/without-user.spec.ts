import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAgent } from '../../lib/agent/create-agent.ts';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { createCatalogue } from '../../lib/hooks/catalogue.ts';
import { createPipeline } from '../../lib/pipeline/create-pipeline.ts';
import { memoryStateStore } from '../../lib/store/state/memory-state-store.ts';
import { scriptedModel } from '../../lib/testing/scripts/scripted-model.ts';
import { hookline } from '../cli/hookline.ts';
import { tempFolder } from '../temp-folder.ts';

const catalogue = createCatalogue(builtIns);
const kinds: Readonly<Record<'rate-limit' | 'budget', (more: object) => object & { per: unknown }>> = {
  'rate-limit': (more: object) => ({ of: 'modelRequests', per: ['user'], max: 2, ...more }),
  budget: (more: object) => ({ of: 'steps', per: 'user', max: 2, onLimit: 'abort', ...more }),
};

/** The outcomes of runs by these owners, with one model request each. */
async function outcomes(kind: string, limits: readonly object[], owners: readonly object[]): Promise<string[]> {
  const hook = catalogue.create(kind, { limits }, { store: memoryStateStore() });
  const model = scriptedModel(owners.map(() => 'Hello.'));
  const agent = createAgent({ name: 'a', model, pipeline: createPipeline([hook]) });
  const ends: string[] = [];
  for (const owner of owners) ends.push((await agent.call('Hi.', owner)).outcome);
  return ends;
}

/** The notices of `hookline check` for hooks, each with one of these limits. */
async function noticed(type: string, limits: readonly object[]): Promise<string[]> {
  const file = join(tempFolder('limits'), 'hooks.json');
  const hooks = limits.map((limit, at) => [`it${at}`, { type, options: { limits: [limit] } }]);
  writeFileSync(file, JSON.stringify({ hooks: Object.fromEntries(hooks) }));
  const { stdout, stderr } = await hookline(['check', file]);
  return `${stdout}\n${stderr}`.split('\n').filter((line) => line.startsWith('notice: '));
}

describe('a limit per user with runs without a user', () => {
  for (const [kind, limit] of Object.entries(kinds)) {
    const three = [{}, { userId: '' }, { userId: ' ' }];

    it(`of ${kind} limits them together with a shared count, separate from users`, async () => {
      const limits = [limit({ withoutUser: 'shared' })];
      expect(await outcomes(kind, limits, three)).to.deep.equal(['completed', 'completed', 'aborted']);
      expect(await outcomes(kind, limits, [...three, { userId: 'ann' }, { userId: 'shared' }])).to.deep.equal([
        ...['completed', 'completed', 'aborted'],
        ...['completed', 'completed'],
      ]);
    });

    it(`of ${kind} limits each session by default, and the check warns that this may be ineffective`, async () => {
      const session = { sessionId: 's' };
      expect(await outcomes(kind, [limit({})], three)).to.deep.equal(Array(3).fill('completed'));
      expect(await outcomes(kind, [limit({})], [session, session, session]).then((all) => all[2])).to.equal('aborted');
      const others = [
        { withoutUser: 'shared' },
        { withoutUser: 'session' },
        { per: limit({}).per === 'user' ? 'run' : [] },
      ];
      const [notice, ...more] = await noticed(kind, [{}, ...others].map(limit));
      expect(more).to.deep.equal([]);
      expect(notice).to.match(/hooks\.it0\.options\.limits\[0\]: counts runs without a user by session, so each run/);
      expect(notice).to.contain('set withoutUser: shared');
    });

    it(`of ${kind} accepts the option only with per user`, () => {
      const wrong = limit({ per: kind === 'budget' ? 'session' : ['tool'], withoutUser: 'shared' });
      expect(() => catalogue.create(kind, { limits: [wrong] }, { store: memoryStateStore() })).to.throw(
        'limits.0.withoutUser: requires per: user',
      );
    });
  }

  it('counts two limits that differ only in this option separately', async () => {
    const limits = [kinds.budget({ withoutUser: 'shared' }), kinds.budget({ withoutUser: 'session', max: 1 })];
    const again = { sessionId: 's' };
    expect(await outcomes('budget', limits, [again, again, {}])).to.deep.equal(['completed', 'aborted', 'completed']);
  });
});
