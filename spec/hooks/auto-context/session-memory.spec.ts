import { expect } from 'chai';
import { lastValueFrom } from 'rxjs';
import { userMessage } from '../../../lib/events/parts/messages.ts';
import { sessionMemory } from '../../../lib/hooks/auto-context/session-memory.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import type { StoreKey } from '../../../lib/store/state/state-store.ts';

const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 };
const talk = ['one', 'two', 'three'].map(userMessage);
const shrunk = { dropped: 2, shortened: 2, summary: 'so far', offloaded: true };
const quiet = () => {};
const DAY = 24 * 3_600_000;

describe('sessionMemory', () => {
  it('keeps all entries of a session in use and lets the store expire an unused one', async () => {
    let time = 0;
    const now = () => time;
    const store = memoryStateStore({ now });
    const memory = sessionMemory(store, { name: 'h', keepDays: 30, now });
    await lastValueFrom(memory.save(run, talk, shrunk));
    await lastValueFrom(memory.offload(run, [{ id: 'x', text: 'whole' }]));
    for (const days of [10, 20, 40, 60]) {
      time = days * DAY;
      expect(await lastValueFrom(memory.load(run, talk, quiet)), `after ${days} days`).to.deep.equal(shrunk);
    }
    expect(await lastValueFrom(memory.read(run, 'x'))).to.equal('whole');
    time = 100 * DAY;
    expect(await lastValueFrom(memory.load(run, talk, quiet))).to.equal(undefined);
    expect(await lastValueFrom(memory.read(run, 'x'))).to.equal(undefined);
  });

  it('logs entries of another version and starts over', async () => {
    const store = memoryStateStore();
    const memory = sessionMemory(store, { name: 'h', keepDays: 1, now: () => Date.now() });
    const told: string[] = [];
    const load = () => lastValueFrom(memory.load(run, talk, (what) => told.push(what)));
    expect(await load()).to.equal(undefined);
    await lastValueFrom(memory.save(run, talk, shrunk));
    const [key] = await lastValueFrom(store.list([]));
    await lastValueFrom(store.set(key as StoreKey, { version: 2 }));
    expect(await load()).to.equal(undefined);
    expect(told).to.deep.equal(['the stored summary of the session has another version and is rebuilt']);
  });

  it('separates sessions, users and agents', async () => {
    const memory = sessionMemory(memoryStateStore(), { name: 'h', keepDays: 1, now: () => Date.now() });
    await lastValueFrom(memory.save(run, talk, shrunk));
    for (const other of [{ sessionId: 't' }, { userId: 'u' }, { agent: 'b' }])
      expect(await lastValueFrom(memory.load({ ...run, ...other }, talk, quiet))).to.equal(undefined);
    expect(await lastValueFrom(memory.load(run, talk.slice(0, 1), quiet))).to.equal(undefined);
    expect(await lastValueFrom(memory.load(run, talk, quiet))).to.deep.equal(shrunk);
  });
});
