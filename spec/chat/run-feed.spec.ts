import { expect } from 'chai';
import { Subject } from 'rxjs';
import { createRunFeed } from '../../lib/chat/run-feed.ts';
import type { SettledEvent } from '../../lib/index.ts';
import { anEvent } from '../../lib/testing/index.ts';

const chunk = (delta: string) => anEvent.settled(anEvent.text(delta));
const deltaOf = (event: SettledEvent) => (event.type === 'reasoningChunk' ? event.delta : event.type);

function aFeed(maxReplay = 100_000) {
  const events$ = new Subject<SettledEvent>();
  const told: string[] = [];
  const feed = createRunFeed({
    events$,
    maxReplay,
    onUnwatched: () => void told.push('unwatched'),
    onEnd: () => void told.push('ended'),
  });
  const watch = () => {
    const seen: string[] = [];
    const subscription = feed.events$.subscribe({
      next: (event) => void seen.push(deltaOf(event)),
      error: (thrown: Error) => void seen.push(`error: ${thrown.message}`),
      complete: () => void seen.push('end'),
    });
    return { seen, leave: () => subscription.unsubscribe() };
  };
  return { events$, told, feed, watch };
}

describe('a run feed', () => {
  it('begins the run with the first watcher and replays it from the start to late watchers', () => {
    const { events$, watch, told } = aFeed();
    expect(events$.observed).to.equal(false);
    const first = watch();
    events$.next(chunk('a'));
    events$.next(chunk('b'));
    const second = watch();
    events$.next(chunk('c'));
    events$.complete();
    expect([first.seen, second.seen]).to.deep.equal([
      ['a', 'b', 'c', 'end'],
      ['a', 'b', 'c', 'end'],
    ]);
    expect(told).to.deep.equal(['ended']);
  });

  it('continues without watchers and logs it once', () => {
    const { events$, watch, told } = aFeed();
    const [first, second] = [watch(), watch()];
    first.leave();
    expect(told).to.deep.equal([]);
    second.leave();
    expect(told).to.deep.equal(['unwatched']);
    expect(events$.observed).to.equal(true);
    events$.next(chunk('a'));
    expect(watch().seen).to.deep.equal(['a']);
  });

  it('buffers up to its limit; beyond that it cannot replay, and watchers miss nothing', () => {
    const { events$, watch, feed } = aFeed(2_000);
    const first = watch();
    for (let at = 0; at < 100; at++) events$.next(chunk('0123456789'));
    expect(first.seen).to.have.length(100);
    expect(feed.replays).to.equal(false);
    expect(watch().seen).to.deep.equal([]);
  });

  it('counts whole messages and calls too', () => {
    const { events$, feed } = aFeed(5_000);
    const text = 'x'.repeat(1_000);
    const whole = [anEvent.postReasoning(text), anEvent.preActing('pay', { text }), anEvent.postActing(text)];
    feed.events$.subscribe();
    for (const event of whole) {
      expect(feed.replays).to.equal(true);
      events$.next(anEvent.settled(event));
    }
    expect(feed.replays).to.equal(false);
  });

  it('reports whether it is replaying', () => {
    const { events$, feed } = aFeed();
    const seen: boolean[] = [];
    feed.events$.subscribe(() => seen.push(feed.replaying));
    events$.next(chunk('a'));
    feed.events$.subscribe(() => seen.push(feed.replaying));
    events$.next(chunk('b'));
    expect(seen).to.deep.equal([false, true, false, false]);
  });

  it('forwards the error to all watchers', () => {
    const { events$, watch } = aFeed();
    const first = watch();
    events$.next(chunk('a'));
    events$.error(new Error('gone'));
    expect([first.seen, watch().seen]).to.deep.equal([
      ['a', 'error: gone'],
      ['a', 'error: gone'],
    ]);
  });
});
