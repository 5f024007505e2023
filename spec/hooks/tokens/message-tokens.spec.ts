import { expect } from 'chai';
import type { MessagePart } from '../../../lib/events/parts/message.ts';
import { messageTokens, toolTokens } from '../../../lib/hooks/tokens/message-tokens.ts';

const asked: (string | undefined)[] = [];
const count = (text: string, model?: string) => {
  asked.push(model);
  return text.length;
};
const tokens = (...parts: MessagePart[]) => messageTokens({ role: 'user', parts }, count, 'm') - 4;

describe('messageTokens', () => {
  it('counts each part that the model receives', () => {
    expect(tokens()).to.equal(0);
    expect(tokens({ type: 'text', text: 'four' }, { type: 'thinking', text: 'hm' })).to.equal(6);
    expect(tokens({ type: 'toolCall', toolCall: { id: 'c', name: 'look', input: { a: 1 } } })).to.equal(12);
    const result = { content: 'seen', isError: false, forUser: 'not for the model' };
    expect(tokens({ type: 'toolResult', toolCallId: 'c', toolName: 'look', result })).to.equal(4);
    expect(tokens({ type: 'media', url: 'data:image/png;base64,AAAA' })).to.equal(1_000);
    expect(new Set(asked)).to.deep.equal(new Set(['m']));
  });
});

describe('toolTokens', () => {
  it('counts names, descriptions and schemas', () => {
    const tool = { name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, permission: 'read' } as const;
    expect(toolTokens([], count)).to.equal(0);
    expect(toolTokens([tool, tool], count)).to.equal(2 * 'look\nLooks.\n{"type":"object"}'.length);
  });
});
