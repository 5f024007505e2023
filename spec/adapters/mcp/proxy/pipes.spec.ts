import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { write } from '../../../../lib/adapters/mcp/proxy/pipes.ts';

describe('a stdio stream without a reader', () => {
  it('pauses all its writers until it is read', async () => {
    const target = new PassThrough({ highWaterMark: 10 });
    const sources = [new PassThrough(), new PassThrough()] as const;
    for (const source of sources) source.resume();
    write(target, 'a long line of text', ...sources);
    expect(sources.map((source) => source.isPaused())).to.deep.equal([true, true]);
    target.resume();
    await new Promise((resolve) => target.once('drain', resolve));
    expect(sources.map((source) => source.isPaused())).to.deep.equal([false, false]);
  });

  it('pauses a source until all its full targets are read', async () => {
    const targets = [new PassThrough({ highWaterMark: 10 }), new PassThrough({ highWaterMark: 10 })] as const;
    const source = new PassThrough().resume();
    for (const target of targets) write(target, 'a long line of text', source);
    for (const [target, paused] of [
      [targets[0], true],
      [targets[1], false],
    ] as const) {
      target.resume();
      await new Promise((resolve) => target.once('drain', resolve));
      expect(source.isPaused()).to.equal(paused);
    }
  });

  it('is ignored once it is closed', async () => {
    const targets = [new PassThrough({ highWaterMark: 10 }), new PassThrough({ highWaterMark: 10 })] as const;
    const source = new PassThrough().resume();
    for (const target of targets) write(target, 'a long line of text', source);
    targets[0].destroy();
    targets[1].resume();
    await new Promise((resolve) => targets[1].once('drain', resolve));
    expect(source.isPaused()).to.equal(false);
  });
});
