import { expect } from 'chai';
import type { HookEvent, SettledEvent } from '../../../../lib/index.ts';
import { toRuntimeEvents } from '../../../../lib/process-hooks/picoclaw/observe/runtime-event.ts';
import { createTurnRecords } from '../../../../lib/process-hooks/picoclaw/observe/turn-records.ts';
import { anEvent } from '../../../../lib/testing/index.ts';

const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 };
const settled = (event: HookEvent, time: number): SettledEvent => ({ ...event, run, seq: 0, time }) as SettledEvent;

/** The converted events, in order. */
function told(events: readonly HookEvent[]) {
  const recordOf = createTurnRecords();
  return events.flatMap((event, index) => {
    const one = settled(event, 1_000 + 5 * index);
    return toRuntimeEvents(one, recordOf(one));
  });
}

const failing = anEvent.reasoningError('overloaded', { decision: { action: 'retry', by: 'h' } });

describe('the record of a turn', () => {
  it('fills the payload of agent.turn.end with duration, prompt and tools', () => {
    const [end] = told([
      anEvent.preCall('look'),
      anEvent.postActing('a.txt'),
      anEvent.postActing({ content: 'no such file', isError: true }, { outcome: 'failed' }),
      anEvent.postActing('not today', { outcome: 'denied' }),
      anEvent.postCall('seen'),
    ]).slice(-1);
    expect(end?.payload).to.deep.include({
      Status: 'completed',
      Iterations: 1,
      Duration: 20_000_000,
      FinalContentLen: 4,
      UserMessage: 'look',
      FinalContent: 'seen',
      ToolKinds: ['bash'],
      ToolExecutions: [
        { name: 'bash', success: true },
        { name: 'bash', success: false, error_summary: 'no such file' },
      ],
    });
  });

  it('counts consecutive retries of the model', () => {
    const events = told([failing, failing, anEvent.postReasoning('hi'), failing]);
    const retries = events.filter(({ kind }) => kind === 'agent.llm.retry');
    expect(retries.map(({ payload }) => payload['Attempt'])).to.deep.equal([1, 2, 1]);
  });
});
