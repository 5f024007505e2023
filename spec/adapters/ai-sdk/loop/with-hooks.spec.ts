import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect } from 'chai';
import { z } from 'zod';
import { RunAborted } from '../../../../lib/adapters/ai-sdk/index.ts';
import { abort, defineTool, type HookDefinition, modify, userMessage, verdict } from '../../../../lib/index.ts';
import { calls, hooked, look, modelOf, rejection, says, stopWhen, watch } from './scene.ts';

describe('hooks on the AI SDK', () => {
  it('keeps an unchanged result as the same object', async () => {
    const value = { at: new Date(0), list: [1] };
    const { generateText } = hooked([watch]);
    const model = modelOf(calls('look', { at: 'x' }), says('done'));
    const { steps } = await generateText({ model, tools: look(() => value), stopWhen, prompt: 'go' });
    expect(steps[0]?.toolResults[0]?.output).to.equal(value);
  });

  it('parses an input once, with its transforms', async () => {
    const ran: unknown[] = [];
    const tools = {
      look: ai.tool({
        description: '',
        inputSchema: z.object({ at: z.string().transform((text) => `${text}!`) }),
        execute: async (input) => void ran.push(input),
      }),
    };
    await hooked([watch]).generateText({
      model: modelOf(calls('look', { at: 'x' }), says('done')),
      tools,
      stopWhen,
      prompt: 'go',
    });
    expect(ran).to.deep.equal([{ at: 'x!' }]);
  });

  it('validates an input changed by a hook with the tool’s schema', async () => {
    const ran: unknown[] = [];
    const wrong: HookDefinition = {
      name: 'wrong',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { at: 7 } } }) },
    };
    const { generateText, recorded } = hooked([wrong]);
    const tools = look((input) => ran.push(input));
    await generateText({ model: modelOf(calls('look', { at: 'x' }), says('done')), tools, stopWhen, prompt: 'go' });
    expect(ran).to.be.empty;
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
  });

  it('names the tool of an input that is not JSON', async () => {
    const tools = {
      look: ai.tool({
        description: '',
        inputSchema: z.object({ at: z.string().transform((text) => new Date(text)) }),
        execute: async () => 'seen',
      }),
    };
    const { generateText, recorded } = hooked([watch]);
    await generateText({
      model: modelOf(calls('look', { at: '2026-01-01' }), says('done')),
      tools,
      stopWhen,
      prompt: 'go',
    });
    const [post] = recorded.of('postActing');
    expect([post?.outcome, post?.toolCall.name]).to.deep.equal(['failed', 'look']);
    expect(post?.result.content).to.match(/input/);
  });

  it('sends the SDK’s own messages if unchanged, and those of preCall on every step', async () => {
    const brief: HookDefinition = {
      name: 'brief',
      on: { preCall: (event) => modify(event, { messages: [...event.messages, userMessage('Be brief.')] }) },
    };
    const model = modelOf(calls('look', { at: 'x' }), says('done'));
    const providerOptions = { own: { cache: true } };
    const messages = [
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'go', providerOptions }], providerOptions },
    ];
    await hooked([brief]).generateText({ model, tools: look(), stopWhen, system: 'You look.', messages });
    const prompts = model.doGenerateCalls.map(({ prompt }) => prompt);
    expect(prompts.map((prompt) => prompt.map(({ role }) => role).join(' '))).to.deep.equal([
      'system user user',
      'system user user assistant tool',
    ]);
    for (const prompt of prompts) expect(prompt[1]).to.deep.include({ providerOptions });
  });

  it('lets a hook change the model request', async () => {
    const cool: HookDefinition = {
      name: 'cool',
      on: { preReasoning: (event) => modify(event, { options: { ...event.options, temperature: 0 }, tools: [] }) },
    };
    const model = modelOf(says('done'));
    await hooked([cool]).generateText({ model, tools: look(), temperature: 1, topP: 0.5, prompt: 'go' });
    const [asked] = model.doGenerateCalls;
    expect([asked?.temperature, asked?.topP, asked?.tools]).to.deep.equal([0, 0.5, []]);
  });

  it('offers and runs the tools of hooks', async () => {
    const clock = defineTool({
      name: 'clock',
      description: 'Tells.',
      inputSchema: z.object({}),
      execute: () => 'noon',
    });
    const model = modelOf(calls('clock', {}), says('done'));
    const { steps } = await hooked([{ name: 'brings', tools: [clock] }]).generateText({
      model,
      stopWhen,
      prompt: 'go',
    });
    expect(steps[0]?.toolResults[0]?.output).to.equal('noon');
    expect(model.doGenerateCalls[0]?.tools?.map(({ name }) => name)).to.deep.equal(['clock']);
  });

  it('does not retry a failing model unless configured', async () => {
    let asked = 0;
    const failing = (): MockLanguageModelV4 =>
      new MockLanguageModelV4({
        doGenerate: () => {
          asked += 1;
          return Promise.reject(
            new ai.APICallError({ message: 'overloaded', url: '', requestBodyValues: {}, isRetryable: true }),
          );
        },
      });
    const { generateText, recorded } = hooked([watch]);
    const error = await rejection(generateText({ model: failing(), prompt: 'go' }));
    expect([asked, ai.APICallError.isInstance(error)]).to.deep.equal([1, true]);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
  });

  it('is cancelled by the caller’s signal', async () => {
    const stop = new AbortController();
    const { generateText, recorded } = hooked([watch]);
    const tools = look(() => {
      stop.abort();
      return 'seen';
    });
    await rejection(
      generateText({
        model: modelOf(calls('look', { at: 'x' }), says('never')),
        tools,
        stopWhen,
        prompt: 'go',
        abortSignal: stop.signal,
      }),
    );
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
  });

  it('applies hooks to the model from prepareStep', async () => {
    const other = modelOf(says('from the other'));
    const shout: HookDefinition = {
      name: 'shout',
      on: {
        postReasoning: (event) =>
          modify(event, { message: { ...event.message, parts: [{ type: 'text', text: 'OTHER' }] } }),
      },
    };
    const { text } = await hooked([shout]).generateText({
      model: modelOf(),
      prepareStep: () => ({ model: other }),
      prompt: 'go',
    });
    expect(text).to.equal('OTHER');
  });

  it('passes prepareStep the user’s model and applies hooks once if it returns that', async () => {
    const { generateText, recorded } = hooked([watch]);
    const model = modelOf(calls('look', { at: 'x' }), says('done'));
    const seen: unknown[] = [];
    const prepareStep = (step: { readonly model: unknown }) => {
      seen.push(step.model);
      return { model: step.model };
    };
    await generateText({ model, tools: look(), stopWhen, prompt: 'go', prepareStep: prepareStep as never });
    expect(seen.map((one) => one === model)).to.deep.equal([true, true]);
    expect([recorded.of('preReasoning').length, model.doGenerateCalls.length]).to.deep.equal([2, 2]);
  });

  it('applies hooks to each run of an SDK agent', async () => {
    const { ToolLoopAgent, recorded } = hooked([{ name: 'no', approve: () => verdict.deny('no') }]);
    const model = modelOf(calls('look', { at: 'x' }), says('one'), calls('look', { at: 'y' }), says('two'));
    const Agent = ToolLoopAgent as unknown as typeof ai.ToolLoopAgent;
    const agent = new Agent({ model, tools: look() });
    expect([(await agent.generate({ prompt: 'a' })).text, (await agent.generate({ prompt: 'b' })).text]).to.deep.equal([
      'one',
      'two',
    ]);
    expect(recorded.of('postCall')).to.have.length(2);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['denied', 'denied']);
  });

  it('rejects with the hook’s decision', async () => {
    const { generateText } = hooked([{ name: 'stop', on: { postActing: (event) => abort(event, 'no more') } }]);
    const error = await rejection(
      generateText({
        model: modelOf(calls('look', { at: 'x' }), says('never')),
        tools: look(),
        stopWhen,
        prompt: 'go',
      }),
    );
    expect(error).to.be.instanceOf(RunAborted);
    expect((error as RunAborted).decision.reason).to.equal('no more');
  });
});
