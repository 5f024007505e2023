import { expect } from 'chai';
import fc from 'fast-check';
import { concatMap, firstValueFrom, type SchedulerLike, timer } from 'rxjs';
import { memoryStateStore, type StateStore } from '../../../lib/hooks/index.ts';
import { createCounter } from '../../../lib/hooks/rate-limit/counter.ts';
import { limitSchema } from '../../../lib/hooks/rate-limit/rate-limit-options.ts';
import { leasedUnits, type Source, storedUnits, type Units } from '../../../lib/hooks/rate-limit/units.ts';

const WINDOW = 60_000;

/** Hosts that share a store, and a clock that the spec sets. */
function hosts(count: number, max: number, make: (store: StateStore) => Units = leasedUnits, delayMs?: number) {
  let now = 1e12;
  let writes = 0;
  const memory = memoryStateStore({ now: () => now });
  const store: StateStore = {
    ...memory,
    set(...args) {
      writes += 1;
      const set$ = memory.set(...args);
      return delayMs === undefined ? set$ : timer(delayMs).pipe(concatMap(() => set$));
    },
  };
  const counter = createCounter(limitSchema.parse({ per: [], max, windowMs: WINDOW }), ['spec']);
  const scheduler = { now: () => now } as SchedulerLike;
  const source: Source = { counter, key: ['spec'], scheduler };
  const all = Array.from({ length: count }, () => make(store));
  return {
    take: async (host: number): Promise<boolean> => 'at' in (await firstValueFrom(all[host % count]!.take(source))),
    giveBack: (host: number, at: number) => firstValueFrom(all[host % count]!.giveBack(source, at)),
    pass(ms: number) {
      now += ms;
    },
    now: () => now,
    writes: () => writes,
  };
}

describe('leased units of a limit', () => {
  it('are never more than the maximum in any window', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 300 }),
        fc.array(
          fc.record({
            host: fc.nat(4),
            calls: fc.integer({ min: 1, max: 80 }),
            pass: fc.oneof(fc.nat(500), fc.nat(WINDOW)),
            back: fc.nat(3),
          }),
          { maxLength: 40 },
        ),
        async (count, max, steps) => {
          const fleet = hosts(count, max);
          const taken: number[] = [];
          for (const { host, calls, pass, back } of steps) {
            const answers = await Promise.all(Array.from({ length: calls }, () => fleet.take(host)));
            for (const granted of answers) if (granted) taken.push(fleet.now());
            for (let nth = 0; nth < back && taken.length > 0 && answers.includes(true); nth += 1)
              await fleet.giveBack(host, taken.pop()!);
            fleet.pass(pass);
          }
          for (const [nth, start] of taken.entries()) {
            const inWindow = taken.slice(nth).filter((at) => at < start + WINDOW).length;
            expect(inWindow).to.be.at.most(max);
          }
        },
      ),
      { numRuns: 200 },
    ));

  it('are at least 95 % of the maximum under the demand of four hosts, and never more', async () => {
    const fleet = hosts(4, 1_000);
    let granted = 0;
    for (let tick = 0; tick < 590; tick += 1) {
      for (let host = 0; host < 4; host += 1) if (await fleet.take(host)) granted += 1;
      fleet.pass(100);
    }
    expect(granted).to.be.within(950, 1_000);
    fleet.pass(WINDOW + WINDOW / 20);
    expect(await fleet.take(0)).to.equal(true);
  });

  it('are shared by calls that wait for one lease', async () => {
    const fleet = hosts(2, 100, leasedUnits, 1);
    const answers = await Promise.all(Array.from({ length: 300 }, (_, call) => fleet.take(call)));
    expect(answers.filter((granted) => granted)).to.have.lengthOf(100);
  });

  it('need a fiftieth of the writes of units one by one', async () => {
    const [leased, single] = [hosts(4, 100_000), hosts(4, 100_000, storedUnits)];
    for (let call = 0; call < 4_000; call += 1) {
      await leased.take(call);
      await single.take(call);
    }
    expect(single.writes() / leased.writes()).to.be.at.least(50);
  });
});
