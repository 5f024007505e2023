import { expect } from 'chai';
import type { HookEvent, SettledEvent } from '../../../../lib/index.ts';
import { runtimeParams, toRuntimeEvents } from '../../../../lib/process-hooks/picoclaw/observe/runtime-event.ts';
import { createTurnRecords } from '../../../../lib/process-hooks/picoclaw/observe/turn-records.ts';
import { anEvent } from '../../../../lib/testing/index.ts';

const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 1, parentRunId: 'p' };

/** The frames of an event: kind, trace and payload. */
function frames(event: HookEvent) {
  const one = { ...event, run, seq: 0, time: 1_000 } as SettledEvent;
  const recordOf = createTurnRecords();
  // biome-ignore lint/suspicious/noExplicitAny: frames are read member by member.
  return toRuntimeEvents(one, recordOf(one)).map((told) => runtimeParams(one, told, 1) as any);
}

describe('the frames of runtime events', () => {
  for (const [event, traces] of [
    [anEvent.preCall('hi'), ['subturn.spawn', 'turn.start']],
    [anEvent.preReasoning({}), ['turn.llm.request']],
    [anEvent.postReasoning('hi'), ['turn.llm.response']],
    [anEvent.preActing('bash', {}), ['turn.tool.start']],
    [anEvent.postActing('a.txt'), ['turn.tool.end']],
    [anEvent.postActing('no', { outcome: 'denied' }), ['turn.tool.skipped']],
    [anEvent.postCall('done'), ['turn.end', 'subturn.end']],
    [anEvent.reasoningError('overloaded', { decision: { action: 'retry', by: 'h' } }), ['turn.llm.retry']],
    [anEvent.reasoningError('overloaded'), ['turn.error']],
  ] as const)
    it(`of ${event.type} are traced as ${traces.join(' and ')}`, () => {
      expect(frames(event).map(({ correlation }) => correlation.trace_id)).to.deep.equal(traces);
    });

  it('name the stage of a model that fails llm', () => {
    expect(frames(anEvent.reasoningError('overloaded'))[0].payload.Stage).to.equal('llm');
  });
});
