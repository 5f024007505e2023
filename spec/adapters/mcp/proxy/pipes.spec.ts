import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { write } from '../../../../lib/adapters/mcp/proxy/pipes.ts';

describe('a pipe that nobody reads', () => {
  it('stops all that would write to it, until somebody reads', async () => {
    const target = new PassThrough({ highWaterMark: 10 });
    const sources = [new PassThrough(), new PassThrough()] as const;
    for (const source of sources) source.resume();
    write(target, 'a long line of text', ...sources);
    expect(sources.map((source) => source.isPaused())).to.deep.equal([true, true]);
    target.resume();
    await new Promise((resolve) => target.once('drain', resolve));
    expect(sources.map((source) => source.isPaused())).to.deep.equal([false, false]);
  });
});
