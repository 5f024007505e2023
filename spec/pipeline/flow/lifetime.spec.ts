import { expect } from 'chai';
import { type Cancellable, createLifetime, type Lifetime } from '../../../lib/pipeline/flow/lifetime.ts';

/** Registers workers of these names. `told` lists the cancelled ones with the reason. */
function scene(...names: string[]) {
  const lifetime = createLifetime();
  const told: string[] = [];
  const register = (name: string, then = () => {}) =>
    lifetime.onCancel({
      cancel(reason) {
        told.push(`${name}: ${reason}`);
        then();
      },
    });
  return { lifetime, told, register, registrations: names.map((name) => register(name)) };
}

describe('a lifetime', () => {
  it('cancels its workers once, in order of registration, with the reason', () => {
    const { lifetime, told } = scene('a', 'b', 'c');
    lifetime.cancel('enough');
    lifetime.cancel('again');
    expect(told).to.deep.equal(['a: enough', 'b: enough', 'c: enough']);
    expect(lifetime.reason).to.equal('enough');
  });

  const gone: Record<string, number[]> = {
    first: [0],
    middle: [1],
    last: [2],
    'last two': [2, 1],
    'first two': [0, 1],
  };
  for (const [which, places] of Object.entries(gone)) {
    it(`skips the ${which} released before, even twice, and cancels later ones`, () => {
      const { lifetime, told, register, registrations } = scene('a', 'b', 'c');
      for (const place of [...places, ...places]) registrations[place]?.unsubscribe();
      register('d');
      lifetime.cancel('enough');
      const left = ['a', 'b', 'c'].filter((_, place) => !places.includes(place));
      expect(told).to.deep.equal([...left, 'd'].map((name) => `${name}: enough`));
    });
  }

  it('cancels all workers known at the start, despite releases and registrations by the first', () => {
    const { lifetime, told, register } = scene();
    register('a', () => {
      second.unsubscribe();
      register('late');
    });
    const second = register('b');
    register('c');
    lifetime.cancel('enough');
    expect(told).to.deep.equal(['a: enough', 'late: enough', 'b: enough', 'c: enough']);
  });

  it('ends with a foreign parent unless released', () => {
    const workers = new Set<Cancellable>();
    const parent = {
      cancelled: false,
      reason: undefined,
      signal: new AbortController().signal,
      cancel: (reason?: string) => [...workers].map((worker) => worker.cancel(reason)),
      release() {},
      onCancel(worker: Cancellable) {
        workers.add(worker);
        return { unsubscribe: () => workers.delete(worker) };
      },
    };
    const [stays, goes] = [createLifetime(parent), createLifetime(parent)];
    goes.release();
    goes.release();
    expect(workers.size).to.equal(1);
    parent.cancel('enough');
    expect([stays.reason, goes.cancelled]).to.deep.equal(['enough', false]);
    expect(workers.size).to.equal(0);
  });

  for (const [when, early] of [
    ['before', true],
    ['after', false],
  ] as const)
    for (const reason of ['enough', undefined])
      it(`passes a signal read ${when} the reason of the cancellation: ${reason}`, () => {
        const lifetime = createLifetime();
        if (early) expect(lifetime.signal.aborted).to.equal(false);
        lifetime.cancel(reason);
        const why = lifetime.signal.reason as DOMException;
        expect(why.name).to.equal('AbortError');
        expect(why.message).to.equal(reason ?? 'This operation was aborted');
        expect(lifetime.signal).to.equal(lifetime.signal);
      });

  it('ends with its parent unless released', () => {
    const parent = createLifetime();
    const children: Lifetime[] = [createLifetime(parent), createLifetime(parent)];
    children[0]?.release();
    parent.cancel('enough');
    expect(children.map(({ reason }) => reason)).to.deep.equal([undefined, 'enough']);
    expect(createLifetime(parent).cancelled).to.equal(true);
  });
});
