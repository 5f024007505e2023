import './no-telemetry.ts';
import { Agent } from '@mastra/core/agent';
import { expect } from 'chai';
import { z } from 'zod';
import { forCall, hookedMastra } from '../../../lib/adapters/mastra/index.ts';
import { createPipeline } from '../../../lib/index.ts';
import { recorder } from '../../../lib/testing/index.ts';
import { scriptedLanguageModel } from '../ai-sdk/scripted-language-model.ts';

/** Whether two types are identical: `any` equals only itself. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

// The compiler checks the types here.
describe('with `hookline` options per invocation of a Mastra agent', () => {
  const scene = () => {
    const recorded = recorder();
    const model = scriptedLanguageModel('v2', [{ chunks: ['{"a":1}'] }, { chunks: ['{"a":1}'] }]);
    const hooked = hookedMastra({ model }, createPipeline([recorded]), { agent: 'guest' });
    const plain = new Agent({ id: 'guest', name: 'guest', instructions: 'Be kind.', model: hooked.model });
    const sessions = () => recorded.of('postCall').map(({ run }) => run.sessionId);
    return { agent: hooked.hookedAgent(plain), sessions };
  };

  it('the types are those of the bare package', async () => {
    const { agent, sessions } = scene();
    const structuredOutput = { schema: z.object({ a: z.number() }) };
    const { object, text } = await agent.generate('go', { structuredOutput, ...forCall({ sessionId: 's' }) });
    const ofShape: Same<typeof object, { a: number }> = true;
    const ofText: Same<typeof text, string> = true;
    const streamed = await agent.stream('go', { maxSteps: 2, ...forCall({ sessionId: 's' }) });
    const said = await streamed.text;
    const ofStream: Same<typeof said, string> = true;
    expect([ofShape, ofText, ofStream, object, said]).to.deep.equal([true, true, true, { a: 1 }, '{"a":1}']);
    expect(sessions()).to.deep.equal(['s', 's']);
  });

  it('results are typed next to `hookline` too', async () => {
    const { agent, sessions } = scene();
    const { text } = await agent.generate('go', { hookline: { sessionId: 's' } });
    const streamed = await agent.stream('go', { hookline: { sessionId: 's' } });
    const said = await streamed.text;
    const ofText: Same<typeof text, string> = true;
    const ofStream: Same<typeof said, string> = true;
    expect([ofText, ofStream, text, said, sessions()]).to.deep.equal([true, true, '{"a":1}', '{"a":1}', ['s', 's']]);
  });
});
