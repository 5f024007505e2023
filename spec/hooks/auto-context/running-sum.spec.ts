import { expect } from 'chai';
import { userMessage } from '../../../lib/events/parts/messages.ts';
import { runningSum } from '../../../lib/hooks/auto-context/running-sum.ts';

describe('runningSum', () => {
  it('counts only new messages, and all of them for another model', () => {
    const asked: string[] = [];
    const sum = runningSum((message, model = '') => {
      asked.push(model);
      return model.length + message.parts.length;
    });
    const [a, b, c] = [userMessage('a'), userMessage('b'), userMessage('c')] as const;
    expect([sum([a, b]), sum([a, b, c]), sum([a]), sum([a, c])]).to.deep.equal([2, 3, 1, 2]);
    expect(asked).to.have.lengthOf(4);
    expect([sum([a, c], 'big'), sum([a, c], 'big'), sum([])]).to.deep.equal([8, 8, 0]);
    expect(asked.slice(4)).to.deep.equal(['big', 'big']);
  });
});
