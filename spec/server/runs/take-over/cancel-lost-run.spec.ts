import { expect } from 'chai';
import { hookEventSchema } from '../../../../lib/events/hook-event.ts';
import { closingEvents } from '../../../../lib/server/runs/take-over/cancel-lost-run.ts';

const root = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 };
const child = { ...root, runId: 'c', agent: 'b', depth: 1, parentRunId: 'r' };

function entry(type: string, seq: number, more: object = {}, run: object = root) {
  return { event: { type, seq, time: 0, iteration: 1, run, ...more } } as never;
}

const call = (id: string, more: object = {}) => ({
  toolCall: { id, name: 'pay', input: {} },
  permission: 'write',
  ...more,
});

describe('the events that end a lost run', () => {
  it('close the calls that had begun, of sub-agents first, and continue the numbers', () => {
    const entries = [
      entry('preCall', 0),
      { lost: 2, of: 'chunks' },
      entry('preActing', 1, call('settled')),
      entry('postActing', 2, call('settled')),
      entry('preActing', 3, call('denied', { decision: { action: 'deny', reason: 'no', by: 'guard' } })),
      entry('preActing', 4, call('twice')),
      entry('preActing', 5, call('twice')),
      entry('postActing', 6, call('twice')),
      { takenOver: '2026-01-01T00:00:00.000Z' },
      entry('preCall', 0, {}, child),
      entry('preActing', 1, call('inner'), child),
    ];
    const events = closingEvents(entries, 'why', 7);
    for (const event of events) expect(hookEventSchema.safeParse(event).error).to.equal(undefined);
    const told = events.map((event) => [
      event.run.runId,
      event.seq,
      event.type === 'postActing' ? event.toolCall.id : event.type,
      'outcome' in event && event.outcome,
    ]);
    expect(told).to.deep.equal([
      ['c', 2, 'inner', 'cancelled'],
      ['c', 3, 'postCall', 'cancelled'],
      ['r', 7, 'twice', 'cancelled'],
      ['r', 8, 'postCall', 'cancelled'],
    ]);
  });

  it('leave out sub-agents that have ended', () => {
    const entries = [entry('preCall', 0), entry('preCall', 0, {}, child), entry('postCall', 1, {}, child)];
    expect(closingEvents(entries, 'why').map(({ run }) => run.runId)).to.deep.equal(['r']);
    expect(closingEvents([], 'why')).to.deep.equal([]);
  });
});
