import { expect } from 'chai';
import { finalize, firstValueFrom, mergeMap, type Observable, timer } from 'rxjs';
import { asStream, eventsOf, misbehavingAgent, type Place, places, within } from './misbehaving.ts';

const faulty = <T>(source: Observable<T>) =>
  source.pipe(
    finalize(() => {
      throw new Error('teardown');
    }),
  );

/** When a teardown that throws has its turn. */
const ways: Record<string, (neutral: unknown) => unknown> = {
  'when it completes': (neutral) => faulty(asStream(neutral, 'ends')),
  'when it completes later': (neutral) => faulty(timer(1).pipe(mergeMap(() => asStream(neutral, 'ends')))),
  'when it is too late, or cut': (neutral) => faulty(asStream(neutral, 'waits')),
  'when it fails': (neutral) =>
    faulty(
      asStream(neutral, 'ends').pipe(
        mergeMap(() => {
          throw new Error('plain');
        }),
      ),
    ),
};

/** Steps that have no time limit of their own, and so go on until the run is cancelled. */
const endless: readonly Place[] = ['model', 'tool', 'around.reasoning', 'around.acting', 'deliver', 'transcript.load'];

describe('a teardown that throws', () => {
  for (const place of Object.keys(places) as Place[]) {
    // What is being written is written to its end: a store that never ends is no case of a teardown.
    const cuts = place !== 'transcript.append';
    for (const [when, act] of Object.entries(ways)) {
      if (when === 'when it is too late, or cut' && !cuts) continue;
      it(`${place}, ${when}: the run ends once, and its session is free`, async () => {
        const lines: unknown[] = [];
        const agent = misbehavingAgent(place, act, lines);
        const waits = when === 'when it is too late, or cut' && endless.includes(place);
        const controller = new AbortController();
        if (waits) setTimeout(() => controller.abort(), 20);
        const events = await within(eventsOf(agent.run('hi', { sessionId: 's', signal: controller.signal })), place);
        expect(events.filter(({ type }) => type === 'postCall')).to.have.length(1);
        expect(events.at(-1)?.type).to.equal('postCall');
        await agent.pipeline.flush();
        expect(lines.flat()).to.include('something threw while it was let go of');
        const second = new AbortController();
        if (waits) setTimeout(() => second.abort(), 20);
        const again = await within(
          eventsOf(agent.run('hi', { sessionId: 's', signal: second.signal })),
          `${place}, again`,
        );
        expect(again.at(-1)?.type).to.equal('postCall');
      });
    }

    if (!cuts) continue;
    it(`${place}: whoever unsubscribes is not hit by it, and the session is free`, async () => {
      const agent = misbehavingAgent(place, (neutral) => faulty(asStream(neutral, 'waits')));
      const postCall = firstValueFrom(
        agent.pipeline.events$.pipe(mergeMap((event) => (event.type === 'postCall' ? [event] : []))),
      );
      const subscription = agent.run('hi', { sessionId: 's' }).subscribe();
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(() => subscription.unsubscribe()).not.to.throw();
      await within(postCall, place);
      const second = new AbortController();
      setTimeout(() => second.abort(), 60);
      const again = await within(
        eventsOf(agent.run('hi', { sessionId: 's', signal: second.signal })),
        `${place}, again`,
      );
      expect(again.at(-1)?.type).to.equal('postCall');
    });
  }

  for (const place of ['model', 'tool'] as const) {
    for (const [how, stop] of Object.entries({
      throws: () => {
        throw new Error('return');
      },
      rejects: () => Promise.reject(new Error('return')),
    })) {
      it(`${place}: an iterator whose return() ${how} does not keep a cancelled run from its end`, async () => {
        const lines: unknown[] = [];
        const iterable = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}), return: stop }) };
        const agent = misbehavingAgent(place, () => iterable, lines);
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 5);
        const events = await within(eventsOf(agent.run('hi', { signal: controller.signal })), place);
        expect(events.at(-1)).to.include({ type: 'postCall', outcome: 'cancelled' });
        await new Promise((resolve) => setTimeout(resolve, 1));
        expect(lines).to.have.length(1);
      });
    }
    it(`${place}: an iterator whose next() throws fails like any other`, async () => {
      const iterable = {
        [Symbol.asyncIterator]: () => ({
          next() {
            throw new Error('next');
          },
        }),
      };
      const events = await within(eventsOf(misbehavingAgent(place, () => iterable).run('hi')), place);
      expect(events.find(({ type }) => type === 'error')).to.have.nested.property('error.message', 'next');
      expect(events.at(-1)?.type).to.equal('postCall');
    });
  }
});
