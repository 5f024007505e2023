import { expect } from 'chai';
import { asyncScheduler, type SchedulerLike, Subscriber, VirtualTimeScheduler } from 'rxjs';
import { PendingCall } from '../../lib/process-hooks/pending-call.ts';
import { PendingCalls } from '../../lib/process-hooks/pending-calls.ts';

function scene(scheduler: SchedulerLike) {
  const late: string[] = [];
  const began = scheduler.now();
  const calls = new PendingCalls(scheduler, ({ question }) =>
    late.push(`${question.method} at ${scheduler.now() - began}`),
  );
  const begin = (id: number, timeoutMs: number): PendingCall => {
    const call = new PendingCall({ id, method: `m${id}`, timeoutMs }, new Subscriber(), undefined, () => {});
    calls.add(call);
    return call;
  };
  return { calls, late, begin };
}

/** Timers that keep the host alive. */
const held = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('pending calls', () => {
  it('times out separately, regardless of earlier and later calls', () => {
    const scheduler = new VirtualTimeScheduler();
    const { calls, late, begin } = scene(scheduler);
    begin(1, 50);
    begin(2, 5);
    scheduler.schedule(() => begin(3, 10), 2);
    scheduler.schedule(() => begin(4, 47), 3);
    scheduler.schedule(() => expect(calls.take(3)?.question.method).to.equal('m3'), 11);
    scheduler.schedule(() => begin(5, 1), 20);
    scheduler.schedule(() => begin(6, 100), 30);
    scheduler.flush();
    expect(late).to.deep.equal(['m2 at 5', 'm5 at 21', 'm1 at 50', 'm4 at 50', 'm6 at 130']);
    expect(calls.ids()).to.deep.equal([]);
  });

  it('removes a call once, by an answer or a timeout', () => {
    const scheduler = new VirtualTimeScheduler();
    const { calls, late, begin } = scene(scheduler);
    const call = begin(1, 5);
    expect([calls.has(1), calls.take(1), calls.take(1), calls.has(1)]).to.deep.equal([true, call, undefined, false]);
    begin(2, 5);
    scheduler.flush();
    expect([late, calls.take(2)]).to.deep.equal([['m2 at 5'], undefined]);
  });

  it('leaves nothing on a scheduler after all answers', () => {
    const scheduler = new VirtualTimeScheduler();
    const { calls, begin } = scene(scheduler);
    begin(1, 5_000);
    begin(2, 60_000);
    calls.take(1);
    calls.take(2);
    scheduler.flush();
    expect(scheduler.now()).to.equal(0);
  });

  it('accepts new calls during timeout callbacks', () => {
    const scheduler = new VirtualTimeScheduler();
    const late: number[] = [];
    const calls: PendingCalls = new PendingCalls(scheduler, ({ question: { id } }) => {
      late.push(id, scheduler.now());
      if (id < 4) begin(id + 1);
    });
    const begin = (id: number): void =>
      calls.add(new PendingCall({ id, method: 'm', timeoutMs: 7 }, new Subscriber(), undefined, () => {}));
    begin(1);
    scheduler.flush();
    expect(late).to.deep.equal([1, 7, 2, 14, 3, 21, 4, 28]);
  });

  it('keeps the host alive while a call is pending, with one shared system timer', async () => {
    // Mocha's own timer exists from the first pause on.
    await pause(1);
    const before = held();
    const { calls, late, begin } = scene(asyncScheduler);
    begin(1, 40);
    begin(2, 60_000);
    begin(3, 45);
    expect(held()).to.equal(before + 1);
    calls.take(1);
    calls.take(2);
    expect(held()).to.equal(before + 1);
    calls.take(3);
    expect(held()).to.equal(before);
    begin(4, 2_000);
    expect(held()).to.equal(before + 1);
    await pause(50);
    // The first timer has fired meanwhile and is set again for the pending call.
    expect([held(), late]).to.deep.equal([before + 1, []]);
    while (late.length === 0) await pause(25);
    expect(late).to.have.length(1);
    expect(held()).to.equal(before);
  });

  it('stops the timer on close', () => {
    const before = held();
    const { calls, begin } = scene(asyncScheduler);
    begin(1, 60_000);
    calls.close();
    expect(held()).to.equal(before);
  });
});
