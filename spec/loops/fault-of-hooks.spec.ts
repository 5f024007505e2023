import { expect } from 'chai';
import { createPipeline } from '../../lib/index.ts';
import { faultOfHooks, faultOfSettings } from '../../lib/loops/fault-of-hooks.ts';
import { heldCallsIn, heldCallsInMemory } from '../../lib/loops/index.ts';
import { memoryStateStore } from '../../lib/store/state/memory-state-store.ts';

const known = ['agent', 'held'];

describe('what an adapter is given after what is the loop’s own', () => {
  const pipeline = createPipeline([]);

  it('is a pipeline and settings that name the agent', () => {
    expect(faultOfHooks(pipeline, { agent: 'guest' }, known)).to.equal(undefined);
    expect(faultOfHooks(pipeline, { agent: 'guest', held: heldCallsInMemory() }, known)).to.equal(undefined);
    expect(faultOfSettings({ held: heldCallsIn(memoryStateStore()) }, known)).to.equal(undefined);
    expect(faultOfSettings({}, known)).to.equal(undefined);
  });

  it('is told from a list of hooks, and from nothing', () => {
    for (const given of [[], undefined, null, () => {}])
      expect(faultOfHooks(given, { agent: 'guest' }, known)).to.include('createPipeline(..)');
  });

  it('is told from settings without the agent’s name, in few words', () => {
    for (const options of [undefined, {}, { agent: 3 }])
      expect(faultOfHooks(pipeline, options, known)).to.include("{ agent: 'support' }");
    expect(faultOfHooks(pipeline, null, known)).to.include('options must be an object');
    expect(faultOfHooks(pipeline, { agnt: 'x' }, known)).to.include('did you mean "agent"');
  });

  it('is told from a store where held calls are meant, and from another store', () => {
    for (const held of [memoryStateStore(), null, 'held'])
      expect(faultOfSettings({ held }, known)).to.include('cannot hold this "held"').and.include('hookline/hooks');
    for (const store of [{ read() {}, write() {}, remove() {} }, undefined, 'held'])
      expect(() => heldCallsIn(store as never))
        .to.throw('store must be fileStateStore(folder)')
        .with.property('code', 'INPUT_INVALID');
  });
});
