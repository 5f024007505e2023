import { expect } from 'chai';
import { lastValueFrom, of, toArray } from 'rxjs';
import {
  createPipeline,
  defineHook,
  type Message,
  modify,
  retry,
  systemMessage,
  userMessage,
} from '../../../lib/index.ts';
import { stampOrigin } from '../../../lib/pipeline/gate/hook-messages.ts';

const [a, b, hint] = [userMessage('a'), userMessage('b'), systemMessage('hint')];

describe('stampOrigin', () => {
  it('marks new messages at any position', () => {
    expect(stampOrigin('h', [a, b], [hint, a, b])).to.deep.equal([{ ...hint, origin: 'h' }, a, b]);
    expect(stampOrigin('h', [a], [a, b])).to.deep.equal([a, { ...b, origin: 'h' }]);
  });

  it('skips a replacement of the same role and a message with an origin', () => {
    expect(stampOrigin('h', [a], [b])).to.deep.equal([b]);
    expect(stampOrigin('h', [a], [a, { ...b, origin: 'rag' }])).to.deep.equal([a, { ...b, origin: 'rag' }]);
  });

  it('works for every list of messages that hooks may extend', async () => {
    const hook = defineHook({
      name: 'h',
      on: {
        preCall: (event) => modify(event, { messages: [...event.messages, b] }),
        preReasoning: (event) => modify(event, { messages: [hint, ...event.messages] }),
        postReasoning: (event) => retry(event, 'again'),
      },
    });
    const run = createPipeline([hook]).start({ agent: 'a' });
    const origins = (messages: readonly Message[] | undefined) => messages?.map(({ origin }) => origin);
    const begun = await lastValueFrom(run.begin([a]));
    expect(begun.type === 'preCall' && origins(begun.messages)).to.deep.equal([undefined, 'h']);
    const events = await lastValueFrom(
      run.reason({ messages: [a] }, () => of({ type: 'text', delta: 'x' })).pipe(toArray()),
    );
    const [pre, post] = [events[0], events.at(-1)];
    expect(pre?.type === 'preReasoning' && origins(pre.messages)).to.deep.equal(['h', undefined]);
    const decision = post?.type === 'postReasoning' ? post.decision : undefined;
    expect(decision?.action === 'retry' && origins(decision.messages)).to.deep.equal(['h']);
  });
});
