import { expect } from 'chai';
import { toolCallsOf } from '../../../lib/events/parts/messages.ts';
import { Reply } from '../../../lib/pipeline/phases/reply.ts';
import { growth, processorTime } from '../../processor-time.ts';

const ids = (reply: Reply) => toolCallsOf(reply.message()).map(({ id }) => id);

describe('a reply', () => {
  it('makes its call ids unique, separately for each attempt', () => {
    const reply = new Reply();
    const call = (block: number, id: string) => reply.call(block, { id, name: 't', input: {} });
    for (const [block, id] of ['a', 'a', 'a-2', 'b'].entries()) call(block, id);
    expect(ids(reply)).to.deep.equal(['a', 'a-2', 'a-2-2', 'b']);
    reply.reset();
    call(0, 'a');
    expect(ids(reply)).to.deep.equal(['a']);
  });

  it('collects calls in linear time', () => {
    const cost = (calls: number): number =>
      processorTime(() => {
        const reply = new Reply();
        for (let block = 0; block < calls; block++) reply.call(block, { id: `c${block}`, name: 't', input: {} });
        expect(ids(reply)).to.have.length(calls);
      });
    cost(1_000);
    // A scan of all calls for each call would be a factor of 256.
    expect(
      growth(
        () => cost(4_000),
        () => cost(64_000),
        100,
      ),
    ).to.be.below(100);
  });
});
