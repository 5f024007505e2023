import { expect } from 'chai';
import type { HookEvent, JsonObject, SettledEvent } from '../../../../lib/index.ts';
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

describe('frames of runtime events', () => {
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
    it(`traces ${event.type} as ${traces.join(' and ')}`, () => {
      expect(frames(event).map(({ correlation }) => correlation.trace_id)).to.deep.equal(traces);
    });

  it('reports effects of auto-context before the request', () => {
    const note = (code: string, data: JsonObject) => ({ by: 'auto-context', code, message: code, data });
    const notes = [
      note('context-compressed', { droppedMessages: 40, remainingMessages: 12, tokensBefore: 9, tokensAfter: 5 }),
      note('context-summarised', { summarisedMessages: 40, keptMessages: 12, summaryLength: 300 }),
      note('anything', {}),
    ];
    const told = frames(anEvent.preReasoning({ notes }));
    expect(told.map(({ kind, severity, payload }) => [kind, severity, payload]).slice(0, 2)).to.deep.equal([
      ['agent.context.compress', 'warn', { Reason: 'proactive_budget', DroppedMessages: 40, RemainingMessages: 12 }],
      [
        'agent.session.summarize',
        'info',
        { SummarizedMessages: 40, KeptMessages: 12, SummaryLen: 300, OmittedOversized: false },
      ],
    ]);
    expect(told.map(({ kind }) => kind).slice(2)).to.deep.equal(['agent.llm.request']);
    const refused = frames(anEvent.preReasoning({ notes: [note('context-compressed', { reason: 'refused' })] }));
    expect(refused[0].payload.Reason).to.equal('llm_retry');
  });

  it('names the stage llm for a failed model', () => {
    expect(frames(anEvent.reasoningError('overloaded'))[0].payload.Stage).to.equal('llm');
  });
});
