import { expect } from 'chai';
import { createLiveHooks } from '../../../lib/config/index.ts';
import { createAgent } from '../../../lib/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { written } from '../read.ts';

describe('catalogueKinds', () => {
  it('separates stored data of hooks of one kind by entry name or name option', async () => {
    const steps = (max: number, more: object = {}) => ({
      type: 'budget',
      options: { limits: [{ of: 'steps', per: 'session', max, onLimit: 'abort' }], ...more },
    });
    const store = memoryStateStore();
    const files = [
      written({ 'c.json': { hooks: { wide: steps(5), narrow: steps(1), own: steps(3, { name: 'third' }) } } })(
        'c.json',
      ),
    ];
    const live = await createLiveHooks({ files, host: { store } });
    try {
      const { pipeline, release } = await live.lease();
      const agent = createAgent({ name: 'a', model: scriptedModel(['One.', 'Two.']), pipeline });
      expect((await agent.call('go', { sessionId: 's' })).outcome).to.equal('completed');
      const { outcome, reason } = await agent.call('go', { sessionId: 's' });
      expect(outcome).to.equal('aborted');
      expect(reason).to.contain('hook "narrow"');
      release();
      let names: readonly (string | undefined)[] = [];
      store.list(['budget']).subscribe((keys) => {
        names = keys.map((key) => key[1]);
      });
      expect([...new Set(names)].sort()).to.deep.equal(['narrow', 'third', 'wide']);
    } finally {
      await live.close();
    }
  });
});
