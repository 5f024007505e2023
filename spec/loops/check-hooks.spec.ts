import { expect } from 'chai';
import { createPipeline } from '../../lib/index.ts';
import { checkHooks, checkSettings } from '../../lib/loops/check-hooks.ts';
import { memoryPendingCallStore, pendingCallStore } from '../../lib/loops/index.ts';
import { memoryStateStore } from '../../lib/store/state/memory-state-store.ts';

const known = ['agent', 'pendingCalls'];

describe('the pipeline argument of an adapter', () => {
  const pipeline = createPipeline([]);

  it('is a pipeline and settings that name the agent', () => {
    expect(checkHooks(pipeline, { agent: 'guest' }, known)).to.equal(undefined);
    expect(checkHooks(pipeline, { agent: 'guest', pendingCalls: memoryPendingCallStore() }, known)).to.equal(undefined);
    expect(checkSettings({ pendingCalls: pendingCallStore(memoryStateStore()) }, known)).to.equal(undefined);
    expect(checkSettings({}, known)).to.equal(undefined);
  });

  it('is distinguished from a list of hooks, and from nothing', () => {
    for (const given of [[], undefined, null, () => {}])
      expect(checkHooks(given, { agent: 'guest' }, known)).to.include('createPipeline(..)');
  });

  it("is rejected with a short error if the settings lack the agent's name", () => {
    for (const options of [undefined, {}, { agent: 3 }])
      expect(checkHooks(pipeline, options, known)).to.include("{ agent: 'support' }");
    expect(checkHooks(pipeline, null, known)).to.include('options must be an object');
    expect(checkHooks(pipeline, { agnt: 'x' }, known)).to.include('did you mean "agent"');
  });

  it('is distinguished from a pending call store, and from another store', () => {
    for (const pendingCalls of [memoryStateStore(), null, 'pending'])
      expect(checkSettings({ pendingCalls }, known))
        .to.include('cannot hold this "pendingCalls"')
        .and.include('hookline/hooks');
    for (const store of [{ read() {}, write() {}, remove() {} }, undefined, 'pending'])
      expect(() => pendingCallStore(store as never))
        .to.throw('store must be fileStateStore(folder)')
        .with.property('code', 'INPUT_INVALID');
  });
});
