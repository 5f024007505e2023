import { expect } from 'chai';
import { createCleanChunks } from '../../../lib/hooks/text/clean-chunks.ts';
import { reasoningChunk } from '../sample-events.ts';
import { MARKER, SECRET, standInRedactor } from '../stand-in-redactor.ts';

describe('createCleanChunks', () => {
  it('keeps text of a retracted step out of every later one', () => {
    for (const later of [{ iteration: 3 }, { attempt: 2 }]) {
      const { textOf } = createCleanChunks(standInRedactor);
      expect(textOf({ ...reasoningChunk, delta: `so ${SECRET.slice(0, 7)}` })).to.equal('so ');
      expect(textOf({ ...reasoningChunk, ...later, delta: 'hello' })).to.equal('hello');
      expect(textOf({ ...reasoningChunk, ...later, delta: '', last: true })).to.equal('');
    }
  });

  it('finds secrets split between chunks of one step', () => {
    const { textOf } = createCleanChunks(standInRedactor);
    const texts = [SECRET.slice(0, 7), SECRET.slice(7), ''].map((delta, at) =>
      textOf({ ...reasoningChunk, delta, last: at === 2 }),
    );
    expect(texts.join('')).to.equal(MARKER);
  });
});
