import * as ai5 from 'ai5latest';
import * as ai6 from 'ai6latest';
import * as ai7 from 'ai7';
import { expect } from 'chai';
import { z } from 'zod';
import { forCall, withHooks } from '../../../lib/adapters/ai-sdk/index.ts';
import { createPipeline } from '../../../lib/index.ts';
import { recorder } from '../../../lib/testing/index.ts';
import { scriptedLanguageModel, type Turn } from './scripted-language-model.ts';

/** Whether two types are identical: `any` equals only itself. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const answer: readonly Turn[] = [{ chunks: ['{"a":1}'] }];
const call: readonly Turn[] = [{ calls: [{ id: 'c1', name: 't', input: { q: 'x' } }] }];
const shape = { schema: z.object({ a: z.number() }) };
const modelOf = (version: 'v2' | 'v3' | 'v4', turns: readonly Turn[]) => scriptedLanguageModel(version, turns) as never;

function scene() {
  const recorded = recorder();
  const sessions = () => recorded.of('postCall').map(({ run }) => run.sessionId);
  return { pipeline: createPipeline([recorded]), sessions };
}

// The compiler checks the types here.
describe('the types match the bare package, with `hookline` options per call', () => {
  it('in version 7', async () => {
    const { pipeline, sessions } = scene();
    const { generateText, streamText, ToolLoopAgent } = withHooks(ai7, pipeline, { agent: 'guest' });
    const own = forCall({ sessionId: 's' });
    const tools = {
      t: ai7.tool({ inputSchema: z.object({ q: z.string() }), execute: async ({ q }) => ({ n: q.length }) }),
    };
    const prompt = 'go';
    const { output } = await generateText({
      model: modelOf('v4', answer),
      prompt,
      ...own,
      output: ai7.Output.object(shape),
    });
    const ofShape: Same<typeof output, { a: number }> = true;
    const { toolCalls } = await generateText({
      model: modelOf('v4', call),
      prompt,
      tools,
      ...own,
      onStepFinish: ({ text }) => void text.length,
      prepareStep: ({ stepNumber }) => (stepNumber ? { activeTools: ['t'] } : {}),
    });
    for (const one of toolCalls) {
      if (one.dynamic) continue;
      const ofTool: Same<typeof one.input, { q: string }> = true;
      expect([one.input.q, ofTool]).to.deep.equal(['x', true]);
    }
    const ended: number[] = [];
    const onFinish = ({ text }: { readonly text: string }) => void ended.push(text.length);
    await streamText({
      model: modelOf('v4', answer),
      prompt,
      tools,
      ...own,
      onFinish: ({ text }) => onFinish({ text }),
    }).consumeStream();
    const agent = new ToolLoopAgent({ model: modelOf('v4', [...answer, ...answer]), tools });
    await agent.generate({ prompt, ...own });
    await (await agent.stream({ prompt, ...own, onFinish: ({ text }) => onFinish({ text }) })).consumeStream();
    expect([ofShape, output, ended, sessions()]).to.deep.equal([true, { a: 1 }, [7, 7], ['s', 's', 's', 's', 's']]);
  });

  it('in version 6', async () => {
    const { pipeline, sessions } = scene();
    const { generateText, streamText } = withHooks(ai6, pipeline, { agent: 'guest' });
    const own = forCall({ sessionId: 's' });
    const tools = { t: ai6.tool({ inputSchema: z.object({ q: z.string() }), execute: async ({ q }) => q.length }) };
    const { output } = await generateText({
      model: modelOf('v3', answer),
      prompt: 'go',
      ...own,
      output: ai6.Output.object(shape),
    });
    const ofShape: Same<typeof output, { a: number }> = true;
    const ended: number[] = [];
    await streamText({
      model: modelOf('v3', answer),
      prompt: 'go',
      tools,
      ...own,
      onFinish: ({ text }) => void ended.push(text.length),
    }).consumeStream();
    expect([ofShape, output, ended, sessions()]).to.deep.equal([true, { a: 1 }, [7], ['s', 's']]);
  });

  it('in version 5', async () => {
    const { pipeline, sessions } = scene();
    const { generateText } = withHooks(ai5, pipeline, { agent: 'guest' });
    const { experimental_output: output } = await generateText({
      model: modelOf('v2', answer),
      prompt: 'go',
      ...forCall({ sessionId: 's' }),
      experimental_output: ai5.Output.object(shape),
    });
    const ofShape: Same<typeof output, { a: number }> = true;
    expect([ofShape, output, sessions()]).to.deep.equal([true, { a: 1 }, ['s']]);
  });

  it('also for callbacks next to `hookline`', async () => {
    const { pipeline, sessions } = scene();
    const six = withHooks(ai6, pipeline, { agent: 'guest' });
    const seven = withHooks(ai7, pipeline, { agent: 'guest' });
    const tools = { t: ai7.tool({ inputSchema: z.object({ q: z.string() }), execute: async ({ q }) => q.length }) };
    const hookline = { sessionId: 's' };
    const ended: number[] = [];
    await seven
      .streamText({
        model: modelOf('v4', answer),
        prompt: 'go',
        tools,
        hookline,
        onFinish: ({ text }) => void ended.push(text.length),
        prepareStep: ({ stepNumber }) => (stepNumber ? { activeTools: ['t'] } : {}),
      })
      .consumeStream();
    await six
      .streamText({
        model: modelOf('v3', answer),
        prompt: 'go',
        hookline,
        onFinish: ({ text }) => void ended.push(text.length),
      })
      .consumeStream();
    await seven.generateText({
      model: modelOf('v4', answer),
      prompt: 'go',
      tools,
      hookline,
      onStepFinish: ({ text }) => void ended.push(text.length),
    });
    expect([ended, sessions()]).to.deep.equal([
      [7, 7, 7],
      ['s', 's', 's'],
    ]);
  });

  it('and a wrong name is an error', () => {
    // @ts-expect-error: there is no such option.
    expect(forCall({ sesionId: 's' })).to.have.property('hookline');
  });
});
