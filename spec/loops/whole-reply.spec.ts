import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
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
    expect(await lastValueFrom(reply.pipe(toArray()))).to.deep.equal(chunks);
    expect(asked).to.equal(1);
  });

  it('fails with the error of the model', async () => {
    const failure = await lastValueFrom(wholeReply(() => Promise.reject(new Error('down')))).catch(String);
    expect(failure).to.equal('Error: down');
  });
});
