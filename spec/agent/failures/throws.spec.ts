import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { mergeMap, throwError, timer } from 'rxjs';
import { hookEventSchema } from '../../../lib/index.ts';
import { eventsOf, misbehavingAgent, type Place, places, within } from './misbehaving.ts';

const throwing = (member: string) =>
  Object.defineProperty(new Error('odd'), member, {
    get() {
      throw new Error(`${member} cannot be read`);
    },
  });
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

const throwIt = () => {
  throw new Error('plain');
};

/** Values that code may throw. */
const thrown: Record<string, () => unknown> = {
  'an error': () => new Error('plain'),
  'a string': () => 'plain',
  nothing: () => undefined,
  null: () => null,
  'a symbol': () => Symbol('odd'),
  'an object without a prototype': () => Object.assign(Object.create(null), { message: 'odd' }),
  'an object without a prototype or message': () => Object.create(null),
  'an object whose toString throws': () => ({
    toJSON: () => undefined,
    toString() {
      throw new Error('no text');
    },
  }),
  'an error whose message cannot be read': () => throwing('message'),
  'an error whose stack cannot be read': () => throwing('stack'),
  'an error whose name cannot be read': () => throwing('name'),
  'an error whose cause cannot be read': () => throwing('cause'),
  'an error whose message is not a string': () => Object.assign(new Error('odd'), { message: { of: 'another kind' } }),
  'a revoked proxy': revoked,
  'an error caused by a revoked proxy': () => new Error('odd', { cause: revoked() }),
  'an error from another realm': () => runInNewContext('new TypeError("plain")'),
  'an error of a million characters': () => new Error('x'.repeat(1_000_000)),
};

const ways: Record<string, (value: unknown) => unknown> = {
  'at once': (value) => {
    throw value;
  },
  'by an Observable': (value) => throwError(() => value),
  'by an Observable, later': (value) => timer(1).pipe(mergeMap(() => throwError(() => value))),
  'by a promise': (value) => Promise.reject(value),
  'by a promise of another kind': (value) => ({
    // biome-ignore lint/suspicious/noThenProperty: it is about what only looks like a promise.
    then() {
      throw value;
    },
  }),
  'by a promise that can be looked at once only': (value) => {
    let looked = 0;
    return Object.defineProperty({}, 'then', {
      get() {
        looked += 1;
        if (looked > 1) throw value;
        return (resolve: (given: undefined) => void) => resolve(undefined);
      },
    });
  },
};

describe('any thrown value', () => {
  const rejections: unknown[] = [];
  const keep = (reason: unknown) => void rejections.push(reason);
  before(() => process.on('unhandledRejection', keep));
  after(() => process.off('unhandledRejection', keep));

  for (const place of Object.keys(places) as Place[]) {
    it(`${place}: ends the run once, and all settled events match the schema`, async () => {
      for (const [what, make] of Object.entries(thrown)) {
        for (const [how, act] of Object.entries(ways)) {
          const agent = misbehavingAgent(place, () => act(make()));
          const told = `${place} throws ${what} ${how}`;
          const events = await within(eventsOf(agent.run('hi', { sessionId: 's' })), told);
          expect(
            events.filter(({ type }) => type === 'postCall'),
            told,
          ).to.have.length(1);
          expect(events.at(-1)?.type, told).to.equal('postCall');
          for (const event of events) expect(hookEventSchema.safeParse(event).error, told).to.equal(undefined);
          const again = await within(eventsOf(agent.run('hi', { sessionId: 's' })), `${told}, again`);
          expect(again.at(-1)?.type, told).to.equal('postCall');
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(rejections).to.deep.equal([]);
    });
  }

  const steps: Record<string, () => unknown> = {
    nothing: () => undefined,
    null: () => null,
    'a number': () => 7,
    'a throwing `done`': () => Object.defineProperty({}, 'done', { get: throwIt }),
    'a throwing `value`': () => Object.defineProperty({ done: false }, 'value', { get: throwIt }),
    'a rejected promise': () => Promise.reject(new Error('plain')),
  };
  for (const place of ['model', 'tool'] as const) {
    for (const [what, next] of Object.entries(steps)) {
      it(`${place}: fails the run for an iterator whose next() returns ${what}`, async () => {
        const agent = misbehavingAgent(place, () => ({ [Symbol.asyncIterator]: () => ({ next }) }));
        const events = await within(eventsOf(agent.run('hi')), what);
        expect(events.some(({ type }) => type === 'error')).to.equal(true);
        expect(events.at(-1)?.type).to.equal('postCall');
        expect(rejections).to.deep.equal([]);
      });
    }
  }

  it('leaves no rejection after a chunk handler that returns a list of promises', async () => {
    const agent = misbehavingAgent('on.reasoningChunk', () => [Promise.reject(new Error('plain'))]);
    expect((await eventsOf(agent.run('hi'))).at(-1)).to.include({ type: 'postCall', outcome: 'failed' });
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(rejections).to.deep.equal([]);
  });

  it('keeps the message of an error from another realm', async () => {
    const agent = misbehavingAgent('model', () => {
      throw runInNewContext('new TypeError("no such host")');
    });
    const failed = (await eventsOf(agent.run('hi'))).find(({ type }) => type === 'error');
    expect(failed).to.have.property('error').that.includes({ name: 'TypeError', message: 'no such host' });
  });

  for (const [what, make] of Object.entries(thrown)) {
    it(`accepts an AbortSignal with the reason ${what}`, async () => {
      for (const late of [false, true]) {
        const agent = misbehavingAgent('model', () => timer(50));
        const controller = new AbortController();
        if (!late) controller.abort(make());
        const ended = eventsOf(agent.run('hi', { signal: controller.signal }));
        if (late) setTimeout(() => controller.abort(make()), 1);
        const events = await within(ended, what);
        const last = events.at(-1);
        expect(last).to.include({ type: 'postCall', outcome: 'cancelled' });
        expect(hookEventSchema.safeParse(last).success).to.equal(true);
      }
    });
  }
});
