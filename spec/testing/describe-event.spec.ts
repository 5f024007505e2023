import { expect } from 'chai';
import type { HookEvent } from '../../lib/events/hook-event.ts';
import { anEvent, describeEvent, toolCall } from '../../lib/testing/index.ts';

const { run } = anEvent.preCall();
const calling = {
  role: 'assistant' as const,
  parts: [{ type: 'toolCall' as const, toolCall: toolCall('bash', { command: 'ls' }) }],
};

const lines: [HookEvent, string][] = [
  [anEvent.preCall('hi'), 'preCall "hi"'],
  [anEvent.preReasoning(), 'preReasoning'],
  [anEvent.preReasoning({ purpose: 'summary', attempt: 2 }), 'preReasoning summary attempt 2'],
  [anEvent.text('Hel\n'), 'reasoningChunk "Hel\\n"'],
  [anEvent.thinking('hm', { block: 1, attempt: 2 }), 'reasoningChunk thinking "hm" block 1 attempt 2'],
  [anEvent.last(), 'reasoningChunk last'],
  [anEvent.postReasoning('Hello', { finishReason: 'length' }), 'postReasoning "Hello" length'],
  [anEvent.postReasoning(calling), 'postReasoning call_1 bash {"command":"ls"}'],
  [anEvent.preActing('bash', { command: 'ls' }), 'preActing call_1 bash {"command":"ls"}'],
  [anEvent.actingChunk('out'), 'actingChunk call_1 "out"'],
  [anEvent.actingChunk('', { last: true }), 'actingChunk call_1 last'],
  [anEvent.postActing('ok'), 'postActing call_1 executed "ok"'],
  [anEvent.postActing({ content: 'no', isError: true }), 'postActing call_1 executed isError "no"'],
  [anEvent.postActing({ content: 'no', isError: true }, { outcome: 'denied' }), 'postActing call_1 denied "no"'],
  [anEvent.postCall('bye'), 'postCall completed "bye"'],
  [anEvent.postCall(undefined, { outcome: 'cancelled', reason: 'user left' }), 'postCall cancelled (user left)'],
  [anEvent.callError('boom'), 'error call host "boom"'],
  [anEvent.reasoningError('late', { source: 'hook', hook: 'slow' }), 'error reasoning hook slow "late"'],
  [anEvent.actingError('boom'), 'error acting tool call_1 "boom"'],
  [
    anEvent.preActing('bash', {}, { decision: { action: 'deny', reason: 'no', by: 'guard' } }),
    'preActing call_1 bash {} => deny "no" by guard',
  ],
  [
    anEvent.postReasoning('a', { notes: [{ by: 'guard', code: 'redacted', message: 'one secret' }] }),
    'postReasoning "a" [redacted]',
  ],
  [anEvent.preReasoning({ run: { ...run, agent: 'scout', depth: 1 } }), 'scout: preReasoning'],
];

describe('describeEvent', () => {
  for (const [event, line] of lines) it(`returns ${line}`, () => expect(describeEvent(event)).to.equal(line));

  it('cuts long texts', () => {
    expect(describeEvent(anEvent.text('x'.repeat(100)))).to.equal(`reasoningChunk "${'x'.repeat(60)}…"`);
    expect(describeEvent(anEvent.text('x'.repeat(100)), 3)).to.equal('reasoningChunk "xxx…"');
  });
});
