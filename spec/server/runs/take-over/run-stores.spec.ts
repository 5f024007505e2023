import { expect } from 'chai';
import { createRuns, memoryRunStore } from 'hookline/server';
import { memoryStore } from '../../../../lib/store/documents/memory-store.ts';

describe('createRuns({ takeOver: true })', () => {
  const create = (runStore?: object) => () => createRuns({ store: memoryStore(), takeOver: true, ...runStore });

  it('rejects a run store from which no other process can continue a run', () => {
    const { takeOver: _, ...runStore } = memoryRunStore();
    expect(create()).to.throw(/needs a run store that survives this process\. Use fileRunStore\(\)/);
    expect(create({ runStore })).to.throw(/, and this one has no takeOver\(\)\. Use fileRunStore\(\)/);
  });
});
