import { expect } from 'chai';
import * as own from 'rxjs';
import { createPipeline, defineHook } from '../../lib/index.ts';
import { hear } from './scene.ts';

/** RxJS loaded once more, like an application's own copy. */
function secondCopy(): typeof own {
  const isRxjs = (id: string) => /[\\/]node_modules[\\/]rxjs[\\/]/.test(id);
  const kept = Object.entries(require.cache).filter(([id]) => isRxjs(id));
  for (const [id] of kept) delete require.cache[id];
  const copy = require('rxjs') as typeof own;
  for (const id of Object.keys(require.cache).filter(isRxjs)) delete require.cache[id];
  Object.assign(require.cache, Object.fromEntries(kept));
  return copy;
}

describe('virtual time', () => {
  const waiting = defineHook({ name: 'later', on: { preCall: async () => {} } });

  it('is recognized in a scheduler of another copy of RxJS', () => {
    const copy = secondCopy();
    const scheduler = new copy.VirtualTimeScheduler();
    expect(scheduler).not.to.be.instanceOf(own.VirtualTimeScheduler);
    const heard = hear(createPipeline([waiting], { scheduler }).start({ agent: 'a' }).begin([]));
    expect(heard.of('error')[0]?.error.message).to.include('virtual time');
  });

  it('is not confused with real time', async () => {
    for (const scheduler of [own.asyncScheduler, own.asapScheduler, own.queueScheduler, own.animationFrameScheduler]) {
      const heard = hear(createPipeline([waiting], { scheduler }).start({ agent: 'a' }).begin([]));
      await heard.ended;
      expect(heard.of('error')).to.deep.equal([]);
    }
  });
});
