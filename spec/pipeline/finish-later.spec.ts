import { expect } from 'chai';
import { delay, from, lastValueFrom, of } from 'rxjs';
import { createPipeline, defineHook, finish, type ModelChunk, toolCallsOf } from '../../lib/index.ts';

describe('a late finish decision', () => {
  const chunks: ModelChunk[] = [
    { type: 'toolCall', toolCall: { id: 'before', name: 'x', input: {} } },
    { type: 'text', delta: 'STOP' },
    { type: 'toolCall', toolCall: { id: 'after', name: 'x', input: {} } },
  ];

  it('drops the calls after its chunk, like an immediate one', async () => {
    for (const wait of [false, true]) {
      const hook = defineHook({
        name: 'stop',
        on: {
          reasoningChunk: (chunk) => (chunk.last ? undefined : wait ? of(finish(chunk)).pipe(delay(5)) : finish(chunk)),
        },
      });
      const run = createPipeline([hook]).start({ agent: 'a' });
      const post = await lastValueFrom(run.reason({ messages: [] }, () => from(chunks)));
      expect(post.type === 'postReasoning' && toolCallsOf(post.message).map(({ id }) => id)).to.deep.equal(['before']);
    }
  });
});
