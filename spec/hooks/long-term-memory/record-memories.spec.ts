import { expect } from 'chai';
import { NEVER } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { longTermMemoryOptionsSchema } from '../../../lib/hooks/long-term-memory/long-term-memory-options.ts';
import { createMemories } from '../../../lib/hooks/long-term-memory/memories.ts';
import { createRecorder } from '../../../lib/hooks/long-term-memory/record-memories.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';

describe('createRecorder', () => {
  it('lets no more than a thousand exchanges wait for a store that does not answer, none of them for ever, and tells what is lost', () => {
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
      expect(lost).to.deep.equal(Array(3).fill('1000 others wait for the store already'));
      expect(ended).to.equal(3);
    });
    expect(scheduler.now()).to.equal(30_000);
    expect(ended).to.equal(1_003);
    expect(lost).to.have.length(1_003);
  });
});
