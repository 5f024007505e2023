import { expect } from 'chai';
import { wholeReply } from '../../lib/loops/whole-reply.ts';

describe('wholeReply', () => {
  it('asks once, when it is read, and emits the chunks in order', async () => {
    let asked = 0;
    const chunks = [
      { type: 'text', delta: 'a' },
      { type: 'finish', finishReason: 'stop' },
    ] as const;
    const reply = wholeReply(async () => {
      asked += 1;
      return chunks;
    });
    expect(asked).to.equal(0);
    const read = [];
    for await (const chunk of reply) read.push(chunk);
    expect(read).to.deep.equal(chunks);
    expect(asked).to.equal(1);
  });

  it('fails with the error of the model', async () => {
    const iterator = wholeReply(() => Promise.reject(new Error('down')))[Symbol.asyncIterator]();
    const failure = await iterator.next().catch(String);
    expect(failure).to.equal('Error: down');
  });
});
