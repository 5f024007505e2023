import { expect } from 'chai';
import { pendingPrompt } from '../../../lib/cli/terminal/pending-prompt.ts';

const call = { key: 'k', agent: 'a', toolCall: { id: 'c1', name: 'rm', input: { path: 'x' } } };

describe('the prompt of a pending call on the terminal', () => {
  it('names the hook that asks', () => {
    expect(pendingPrompt({ ...call, by: 'one', prompt: 'Sure?' })).to.equal(
      'Agent a wants to call rm {"path":"x"}.\none asks:\n  Sure?',
    );
  });

  it('names all hooks that ask', () => {
    const asks = ['one', 'two'].map((by) => ({ by, prompt: `${by}?` }));
    expect(pendingPrompt({ ...call, by: 'one', prompt: 'one?\ntwo?', asks })).to.equal(
      'Agent a wants to call rm {"path":"x"}.\none and two ask:\n  one?\n  two?',
    );
  });
});
