import { expect } from 'chai';
import fc from 'fast-check';
import { createAnswerStore } from '../../../lib/hooks/tool-cache/answer-store.ts';

const MAX = 5;
const MAX_CHARS = 40;

interface Known {
  readonly key: string;
  readonly owner: string;
  readonly size: number;
  readonly until: number;
}

/** A plain model of the store: a list in the order of the last read. */
function plain() {
  let known: Known[] = [];
  const chars = () => known.reduce((sum, { size }) => sum + size, 0);
  return {
    get(key: string, now: number) {
      const found = known.find((one) => one.key === key);
      known = known.filter((one) => one !== found);
      if (found && found.until > now) known.push(found);
      return found && found.until > now ? found.size : undefined;
    },
    set(one: Known) {
      known = [...known.filter(({ key }) => key !== one.key), one];
      while (known.length > MAX || chars() > MAX_CHARS) known.shift();
    },
    forget(owner: string) {
      known = known.filter((one) => one.owner !== owner);
    },
    size: () => known.length,
  };
}

const step = fc.record({
  does: fc.constantFrom('get', 'set', 'forget'),
  key: fc.constantFrom(...'abcdefgh'),
  size: fc.integer({ min: 1, max: 60 }),
  ttl: fc.integer({ min: 0, max: 20 }),
});

describe('createAnswerStore', () => {
  it('keeps recently read answers within both limits and returns no expired one', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const store = createAnswerStore(MAX, MAX_CHARS);
        const model = plain();
        steps.forEach(({ does, key, size, ttl }, now) => {
          const owner = key < 'd' ? 'x' : 'y';
          if (does === 'get') expect(store.get(key, now)?.size).to.equal(model.get(key, now));
          else if (does === 'forget') {
            store.forget(owner);
            model.forget(owner);
          } else {
            store.set(owner, key, { items: [], since: now, until: now + ttl, size });
            model.set({ key, owner, size, until: now + ttl });
          }
          expect(store.size).to.equal(model.size());
        });
      }),
    ));
});
