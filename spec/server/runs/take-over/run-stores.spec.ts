import { expect } from 'chai';
import { createRuns, memoryRunStore } from 'hookline/server';
import { NEVER } from 'rxjs';
import { memoryStore } from '../../../../lib/store/documents/memory-store.ts';

describe('createRuns({ takeOver: true })', () => {
  const create = (runStore?: object) => () => createRuns({ store: memoryStore(), takeOver: true, ...runStore });

  it('rejects a server that cannot continue a run', () => {
    const why =
      'createRuns({ takeOver: true }) needs the port recover(), which continues a run from its events. Pass ...agentPorts(..), which has it, or omit takeOver.';
    expect(create({ runStore: memoryRunStore() })).to.throw(why);
    expect(create({ runStore: memoryRunStore(), recover: () => NEVER })).not.to.throw();
  });

  it('rejects a run store from which no other process can continue a run', () => {
    const { takeOver: _, ...runStore } = memoryRunStore();
    const recover = () => NEVER;
    expect(create({ recover })).to.throw(/needs a run store that survives this process\. Use fileRunStore\(\)/);
    expect(create({ runStore, recover })).to.throw(/, and this one has no takeOver\(\)\. Use fileRunStore\(\)/);
  });
});
