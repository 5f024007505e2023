import { expect } from 'chai';
import { createFindMemories } from '../../../lib/hooks/long-term-memory/recall-memories.ts';

const kept = (...texts: string[]) => ({
  version: 1,
  memories: texts.map((text) => ({ id: `id of ${text}`, text, at: 0, sessionId: 's' })),
});

describe('createFindMemories', () => {
  it('searches the current memories, also if as many were forgotten as added', () => {
    const find = createFindMemories('memory');
    const texts = (memories: ReturnType<typeof kept>, question: string) =>
      find('ann', memories, question, 5, () => true).map(({ text }) => text);
    expect(texts(kept('my cat is grey'), 'cat')).to.deep.equal(['my cat is grey']);
    expect(texts(kept('my dog is brown'), 'dog')).to.deep.equal(['my dog is brown']);
    expect(texts(kept('my dog is brown'), 'cat')).to.deep.equal([]);
  });
});
