import { expect } from 'chai';
import { HooklineError } from '../../lib/errors.ts';
import { eventTypes } from '../../lib/events/decisions/event-rules.ts';
import { type HookEvent, hookEventSchema } from '../../lib/events/hook-event.ts';
import { anEvent, toolCall } from '../../lib/testing/index.ts';

const { settled: _, ...builders } = anEvent;
const built: Record<string, readonly HookEvent[]> = {
  preCall: [anEvent.preCall(), anEvent.preCall('hello', { iteration: 1 })],
  preReasoning: [anEvent.preReasoning(), anEvent.preReasoning({ purpose: 'summary', model: 'm' })],
  text: [anEvent.text('Hel')],
  thinking: [anEvent.thinking('hm')],
  toolInput: [anEvent.toolInput('{"co')],
  last: [anEvent.last()],
  postReasoning: [anEvent.postReasoning(), anEvent.postReasoning('yes', { finishReason: 'length' })],
  preActing: [anEvent.preActing(), anEvent.preActing('grep', { pattern: 'x' }, { permission: 'read' })],
  actingChunk: [anEvent.actingChunk('out')],
  postActing: [anEvent.postActing(), anEvent.postActing({ content: 'no', isError: true }, { outcome: 'failed' })],
  postCall: [anEvent.postCall(), anEvent.postCall('done', { outcome: 'finished' })],
  callError: [anEvent.callError('boom')],
  reasoningError: [anEvent.reasoningError('boom', { source: 'hook', hook: 'guard' })],
  actingError: [anEvent.actingError('boom')],
};

describe('anEvent', () => {
  for (const name of Object.keys(builders)) {
    it(`builds a valid ${name}`, () => {
      expect(built[name]).to.be.an('array').that.is.not.empty;
      for (const event of built[name] as readonly HookEvent[])
        expect(hookEventSchema.parse(event)).to.deep.equal(event);
    });
  }

  it('has a builder for each of the nine event types', () => {
    const types = Object.values(built).flatMap((events) => events.map(({ type }) => type));
    expect([...new Set(types)]).to.have.members(eventTypes);
  });

  it('applies overrides over its defaults', () => {
    expect(anEvent.text('Hel', { block: 3 })).to.include({ delta: 'Hel', block: 3, attempt: 1 });
  });

  it('derives the finish reason from the message', () => {
    const calling = { role: 'assistant' as const, parts: [{ type: 'toolCall' as const, toolCall: toolCall('bash') }] };
    expect(anEvent.postReasoning(calling).finishReason).to.equal('toolCalls');
    expect(anEvent.postReasoning('hello').finishReason).to.equal('stop');
  });

  it('deep-freezes events', () => {
    expect(() => {
      (anEvent.preActing('bash', { command: 'ls' }).toolCall as { name: string }).name = 'rm';
    }).to.throw(TypeError);
  });

  it('rejects an invalid override, with its path', () => {
    expect(() => anEvent.text('Hel', { block: -1 }))
      .to.throw(HooklineError, /reasoningChunk[\s\S]*block/)
      .with.property('code', 'INPUT_INVALID');
  });

  it('settles an event', () => {
    expect(anEvent.settled(anEvent.text('Hel'), 4, 10)).to.include({ delta: 'Hel', seq: 4, time: 10 });
  });
});
