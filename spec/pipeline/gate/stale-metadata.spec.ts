import { expect } from 'chai';
import { from, lastValueFrom, toArray } from 'rxjs';
import {
  createPipeline,
  defineHook,
  type HookDefinition,
  type MessagePart,
  modify,
  userMessage,
} from '../../../lib/index.ts';
import { recorder } from '../../../lib/testing/index.ts';

const metadata = { provider: { signature: 'of: my secret' } };
const clean = (text: string): string => text.replaceAll('secret', '***');

/** The settled message parts of an answer with thinking with metadata in two chunks, and a text part. */
async function settled(hook: HookDefinition): Promise<readonly MessagePart[]> {
  const recorded = recorder();
  const run = createPipeline([defineHook(hook), recorded]).start({ agent: 'a' });
  const model = () =>
    from([
      { type: 'thinking' as const, delta: 'my sec', block: 0 },
      { type: 'thinking' as const, delta: 'ret', block: 0, metadata },
      { type: 'text' as const, delta: 'Fine.', block: 1, metadata },
      { type: 'finish' as const, finishReason: 'stop' as const },
    ]);
  await lastValueFrom(run.reason({ messages: [userMessage('Go!')] }, model as never).pipe(toArray()));
  return recorded.of('postReasoning')[0]?.message.parts ?? [];
}

describe('provider metadata of a text', () => {
  const left: MessagePart[] = [
    { type: 'thinking', text: 'my secret', metadata },
    { type: 'text', text: 'Fine.', metadata },
  ];
  const ways: Readonly<Record<string, HookDefinition['on']>> = {
    'pieces are changed': { reasoningChunk: (event) => modify(event, { delta: event.delta.replace('ret', '***') }) },
    'the message is changed': {
      postReasoning: (event) =>
        modify(event, {
          message: {
            ...event.message,
            parts: event.message.parts.map((part) => ('text' in part ? { ...part, text: clean(part.text) } : part)),
          },
        }),
    },
  };
  for (const [way, on] of Object.entries(ways))
    it(`is dropped once ${way} but kept on other parts`, async () => {
      const parts = await settled({ name: 'h', on: on as never });
      expect(parts[0]).to.have.property('text').that.contains('***');
      expect(parts[0]).not.to.have.property('metadata');
      expect(parts[1]).to.deep.equal(left[1]);
    });

  it('is kept if hooks only split the text, or add their own', async () => {
    expect(await settled({ name: 'h', on: { reasoningChunk: () => {} } })).to.deep.equal(left);
    const own = { mine: { kept: true } };
    const adds: HookDefinition['on'] = {
      postReasoning: (event) =>
        modify(event, { message: { role: 'assistant', parts: [{ type: 'thinking', text: 'other', metadata: own }] } }),
    };
    expect(await settled({ name: 'h', on: adds })).to.deep.equal([{ type: 'thinking', text: 'other', metadata: own }]);
  });
});
