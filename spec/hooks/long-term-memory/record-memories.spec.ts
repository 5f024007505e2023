import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { asyncScheduler, NEVER, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { longTermMemoryOptionsSchema } from '../../../lib/hooks/long-term-memory/long-term-memory-options.ts';
import { createMemories } from '../../../lib/hooks/long-term-memory/memories.ts';
import { createRecorder } from '../../../lib/hooks/long-term-memory/record-memories.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { tempFolder } from '../../temp-folder.ts';

describe('createRecorder', () => {
  it('queues at most a thousand exchanges for a limited time, and logs lost ones', () => {
    const scheduler = new TestScheduler(() => {});
    const settings = longTermMemoryOptionsSchema.parse({});
    const memories = createMemories({ ...memoryStateStore(), get: () => NEVER }, settings);
    const recorder = createRecorder(memories, settings, undefined);
    const lost: string[] = [];
    const line = (fields: object | string) => lost.push(String((fields as { err: Error }).err.message));
    const log = { debug() {}, info() {}, warn: line, error: line };
    let ended = 0;
    scheduler.run(() => {
      for (let at = 0; at < 1_003; at++) {
        const run = { runId: `${at}`, sessionId: `${at}`, agent: 'a', depth: 0 };
        recorder.record({ user: 'u', answer: 'a', run }, { log, scheduler }).subscribe({ complete: () => ended++ });
      }
      expect(lost).to.deep.equal(Array(3).fill('1000 exchanges are already queued for the store'));
      expect(ended).to.equal(3);
    });
    expect(scheduler.now()).to.equal(30_000);
    expect(ended).to.equal(1_003);
    expect(lost).to.have.length(1_003);
  });

  it('leaves memories that the store did not accept for the next process', () => {
    const settings = longTermMemoryOptionsSchema.parse({});
    const folder = join(tempFolder('state'), 'left');
    const store = memoryStateStore();
    let down = true;
    const set: typeof store.set = (...args) => (down ? throwError(() => new Error('disk full')) : store.set(...args));
    const memories = createMemories({ ...store, set }, settings);
    const lines: string[] = [];
    const line = (_: object | string, message?: string) => lines.push(String(message));
    const by = { log: { debug() {}, info() {}, warn: line, error: line }, scheduler: asyncScheduler };
    const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 };
    createRecorder(memories, settings, folder).record({ user: 'rain', answer: 'yes', run }, by).subscribe();
    expect(lines).to.deep.equal(['the store rejected an exchange; the next process tries again']);
    expect(readdirSync(folder)).to.have.length(1);
    down = false;
    createRecorder(memories, settings, folder).begin(by).subscribe();
    const texts: string[] = [];
    memories.read(run, Date.now()).subscribe((kept) => texts.push(...kept.memories.map(({ text }) => text)));
    expect(texts).to.deep.equal(['User: rain\nAssistant: yes']);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('applies the same timeout to `extract` as to the store', () => {
    const scheduler = new TestScheduler(() => {});
    const settings = longTermMemoryOptionsSchema.parse({ extract: () => NEVER });
    const recorder = createRecorder(createMemories(memoryStateStore(), settings), settings, undefined);
    const lost: string[] = [];
    const line = (_: object | string, message?: string) => lost.push(String(message));
    const log = { debug() {}, info() {}, warn: line, error: line };
    let ended = -1;
    scheduler.run(() => {
      const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 };
      recorder
        .record({ user: 'u', answer: 'a', run }, { log, scheduler })
        .subscribe({ complete: () => (ended = scheduler.now()) });
    });
    expect([ended, lost]).to.deep.equal([30_000, ['an exchange could not be remembered']]);
  });
});
