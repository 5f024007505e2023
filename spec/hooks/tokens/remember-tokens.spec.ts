import { expect } from 'chai';
import { userMessage } from '../../../lib/events/parts/messages.ts';
import { rememberTokens } from '../../../lib/hooks/tokens/remember-tokens.ts';

describe('rememberTokens', () => {
  it('counts the same message or tool once per model', () => {
    const counted: string[] = [];
    const tokens = rememberTokens((text, model = '') => {
      counted.push(`${model} ${text}`);
      return text.length;
    });
    const message = userMessage('four');
    const tool = { name: 't', description: 'T.', inputSchema: {}, permission: 'read' } as const;
    expect([tokens.message(message), tokens.message(message), tokens.message(userMessage('four'))]).to.deep.equal([
      8, 8, 8,
    ]);
    expect([tokens.tools([tool, tool]), tokens.tools([tool])]).to.deep.equal([14, 7]);
    expect(counted).to.deep.equal([' four', ' four', ' t\nT.\n{}']);
    expect(tokens.message(message, 'm')).to.equal(8);
    expect(counted.at(-1)).to.equal('m four');
  });
});
