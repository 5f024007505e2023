import { expect } from 'chai';
import { finalize, firstValueFrom, mergeMap, type Observable, timer } from 'rxjs';
import { asStream, eventsOf, misbehavingAgent, type Place, places, within } from './misbehaving.ts';

const faulty = <T>(source: Observable<T>) =>
  source.pipe(
    finalize(() => {
      throw new Error('teardown');
    }),
  );

/** The moments at which a throwing teardown runs. */
const ways: Record<string, (neutral: unknown) => unknown> = {
  'when it completes': (neutral) => faulty(asStream(neutral, 'ends')),
  'when it completes later': (neutral) => faulty(timer(1).pipe(mergeMap(() => asStream(neutral, 'ends')))),
  'when it is cut off': (neutral) => faulty(asStream(neutral, 'waits')),
  'when it fails': (neutral) =>
    faulty(
      asStream(neutral, 'ends').pipe(
        mergeMap(() => {
          throw new Error('plain');
        }),
      ),
    ),
};

/** Steps without a time limit, which continue until the run is cancelled. */
const endless: readonly Place[] = ['model', 'tool', 'around.reasoning', 'around.acting', 'deliver', 'transcript.load'];

describe('a teardown that throws', () => {
  for (const place of Object.keys(places) as Place[]) {
    // Writes always run to their end, so a store that never ends is not a case of a teardown.
    const cuts = place !== 'transcript.append';
    for (const [when, act] of Object.entries(ways)) {
      if (when === 'when it is cut off' && !cuts) continue;
      it(`${place}, ${when}: ends the run once and frees its session`, async () => {
        const lines: unknown[] = [];
        const agent = misbehavingAgent(place, act, lines);
        const waits = when === 'when it is cut off' && endless.includes(place);
        const controller = new AbortController();
        if (waits) setTimeout(() => controller.abort(), 20);
        const events = await within(eventsOf(agent.run('hi', { sessionId: 's', signal: controller.signal })), place);
        expect(events.filter(({ type }) => type === 'postCall')).to.have.length(1);
        expect(events.at(-1)?.type).to.equal('postCall');
        await agent.pipeline.flush();
        expect(lines.flat()).to.include('a teardown threw');
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
    it(`${place}: does not throw on unsubscribe and frees the session`, async () => {
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
      it(`${place}: ends a cancelled run despite an iterator whose return() ${how}`, async () => {
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
    it(`${place}: fails like any other for an iterator whose next() throws`, async () => {
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
