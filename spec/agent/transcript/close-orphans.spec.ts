import { expect } from 'chai';
import { closeOrphans, resultPart, toolMessage } from '../../../lib/agent/transcript/close-orphans.ts';
import type { Message } from '../../../lib/events/parts/message.ts';
import { userMessage } from '../../../lib/events/parts/messages.ts';
import { toolResult } from '../../../lib/events/parts/tool-result.ts';

const callOf = (id: string) => ({ id, name: 'look', input: {} });
const asking = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  parts: ids.map((id) => ({ type: 'toolCall', toolCall: callOf(id) })),
});

describe('tool calls without a result', () => {
  it('get one next to the others, in call order and in one message', () => {
    const seen = resultPart(callOf('b'), toolResult('seen'));
    const [asked, answered, next, ...more] = closeOrphans([
      asking('a', 'b'),
      toolMessage([seen]),
      userMessage('go on'),
    ]);
    expect([asked?.role, next?.role, more.length]).to.deep.equal(['assistant', 'user', 0]);
    const [first, second] = answered?.parts ?? [];
    expect(first).to.deep.include({ toolCallId: 'a' }).and.have.nested.property('result.isError', true);
    expect(second).to.equal(seen);
  });

  it('are left alone if each has its own: the messages stay the same objects', () => {
    const messages = [asking('a'), toolMessage([resultPart(callOf('a'), toolResult('seen'))])];
    const closed = closeOrphans(messages);
    expect(closed).to.have.length(2);
    for (const [index, message] of closed.entries()) expect(message).to.equal(messages[index]);
  });
});
