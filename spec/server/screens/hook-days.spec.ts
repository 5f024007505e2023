import { expect } from 'chai';
import { durationsOf, noDurations, withDuration } from '../../../lib/server/screens/duration-histogram.ts';
import { createHookDays } from '../../../lib/server/screens/hook-days.ts';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';

const DAY = 24 * 3_600_000;
const step = (hook: string, effect = 'passed', ms = 2) => ({ hook, priority: 1, stage: 'on', effect, ms }) as never;

describe('statistics of hooks over days', () => {
  it('sums the days of all servers of a store, up to thirty', async () => {
    const store = memoryStore();
    let now = Date.UTC(2026, 0, 1, 12);
    const one = createHookDays(store, undefined, () => now);
    one.add([step('guard'), step('guard', 'decided'), step('audit', 'skipped')]);
    await one.close();
    now += 5 * DAY;
    const two = createHookDays(store, undefined, () => now);
    two.add([step('guard', 'failed', 100)]);
    await two.close();
    one.add([step('guard', 'changed')]);
    const { since, hooks } = await one.statistics(7);
    expect(since).to.equal('2025-12-31T00:00:00.000Z');
    const [{ name, ran, changed, decided, failed, p50Ms, p95Ms } = {} as never, ...others] = hooks;
    expect({ name, ran, changed, decided, failed }).to.deep.equal({
      name: 'guard',
      ran: 4,
      changed: 1,
      decided: 1,
      failed: 1,
    });
    expect(others).to.deep.equal([]);
    expect(p50Ms).to.be.within(2, 3);
    expect(p95Ms).to.be.within(100, 142);
    expect((await one.statistics(1)).hooks[0]?.ran).to.equal(2);
  });

  it('counts each call on its day, also at midnight', async () => {
    const store = memoryStore();
    let now = Date.UTC(2026, 0, 1, 23, 59);
    const days = createHookDays(store, undefined, () => now);
    days.add([step('guard')]);
    now += 2 * 60_000;
    days.add([step('guard')]);
    expect((await days.statistics(1)).hooks[0]?.ran).to.equal(1);
    expect((await days.statistics(2)).hooks[0]?.ran).to.equal(2);
  });

  it('removes days that are too old, and ignores damaged ones', async () => {
    const store = memoryStore();
    await store.write(['statistics', '2025-11-01', 'other'], {});
    await store.write(['statistics', '2026-01-01', 'other'], { guard: 'broken' });
    const days = createHookDays(store, undefined, () => Date.UTC(2026, 0, 1));
    days.add([step('guard')]);
    await days.close();
    expect((await store.list(['statistics'])).map(([, day]) => day).sort()).to.deep.equal(['2026-01-01', '2026-01-01']);
    expect((await days.statistics(30)).hooks[0]?.ran).to.equal(1);
  });

  it('has percentiles that are at most 42 % too high', () => {
    const durations = noDurations();
    expect(durationsOf(durations, 0.5)).to.equal(0);
    for (const ms of [0, 0.02, 1, 7, 50, 900, 60_000, 1e9]) {
      const only = noDurations();
      withDuration(only, ms);
      const shown = durationsOf(only, 0.95);
      if (ms > 0.01 && ms < 4e5) expect(shown).to.be.within(ms * 0.999, ms * 1.42);
      expect(Number.isFinite(shown)).to.equal(true);
    }
  });
});
