import type * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect } from 'chai';
import { type HookDefinition, modify, textOf, userMessage, verdict } from '../../../../lib/index.ts';
import { calls, hooked, look, modelOf, rejection, says, stopWhen, watch } from './scene.ts';

const no: HookDefinition = { name: 'no', approve: () => verdict.deny('no') };
const asks: HookDefinition = { name: 'asks', approve: () => verdict.suspend('Really?') };
const prompt = [{ role: 'user' as const, content: 'The code is 1234.' }];

async function asked(hooks: readonly HookDefinition[], ran: unknown[]) {
  const scene = hooked(hooks);
  const tools = look((input) => ran.push(input));
  const first = await scene.generateText({ model: modelOf(calls('look', { at: 'x' })), tools, messages: prompt });
  const request = first.content.find(({ type }) => type === 'tool-approval-request') as { approvalId: string };
  const content = [{ type: 'tool-approval-response' as const, approvalId: request.approvalId, approved: true }];
  return {
    ...scene,
    tools,
    messages: [...prompt, ...first.response.messages, { role: 'tool', content }] as ai.ModelMessage[],
  };
}

describe('hooks on the AI SDK leave no bypass', () => {
  it('for a provider tool that runs locally', async () => {
    const ran: unknown[] = [];
    const shell = { ...look((input) => ran.push(input)).look, type: 'provider', id: 'own.look', args: {} };
    const { generateText, recorded } = hooked([no]);
    await generateText({
      model: modelOf(calls('look', { at: 'x' }), says('done')),
      tools: { look: shell },
      stopWhen,
      prompt: 'go',
    } as never);
    expect([ran, recorded.of('postActing').map(({ outcome }) => outcome)]).to.deep.equal([[], ['denied']]);
  });

  it('for a call with a repeated id', async () => {
    const ran: unknown[] = [];
    const { generateText, recorded } = hooked([watch]);
    const model = modelOf(calls('look', { at: 'x' }), calls('look', { at: 'y' }), says('done'));
    const { steps } = await generateText({ model, tools: look((input) => ran.push(input)), stopWhen, prompt: 'go' });
    expect(ran).to.deep.equal([{ at: 'x' }, { at: 'y' }]);
    expect(steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))).to.deep.equal([1, 2]);
    expect(recorded.of('preActing').map(({ toolCall }) => toolCall.input)).to.deep.equal([{ at: 'x' }, { at: 'y' }]);
  });

  for (const [what, hides] of [
    ['for log probabilities of a text that a hook changed', true],
    ['but keep provider metadata of a text that no hook changed', false],
  ] as const)
    it(what, async () => {
      const hide: HookDefinition = {
        name: 'hide',
        on: {
          reasoningChunk: (event) =>
            modify(event, { delta: hides ? event.delta.replace('1234', '****') : event.delta }),
        },
      };
      const providerMetadata = { own: { logprobs: [{ token: '1234' }] } };
      const answer = { ...says('It is 1234.'), providerMetadata };
      const stream = [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'It is 1234.' },
        { type: 'text-end', id: '0' },
        { type: 'finish', finishReason: answer.finishReason, usage: answer.usage, providerMetadata },
      ];
      const { generateText, streamText } = hooked([hide]);
      const whole = await generateText({ model: modelOf(answer), prompt: 'go' });
      const model = new MockLanguageModelV4({
        doStream: async () => ({
          stream: new ReadableStream({
            start: (to) => {
              for (const part of stream) to.enqueue(part as never);
              to.close();
            },
          }),
        }),
      });
      const streamed = streamText({ model, prompt: 'go' });
      expect([whole.text, await streamed.text].map((text) => text.includes('1234'))).to.deep.equal([!hides, !hides]);
      expect([whole.providerMetadata, await streamed.providerMetadata]).to.deep.equal(
        hides ? [undefined, undefined] : [providerMetadata, providerMetadata],
      );
    });

  it('for an approval that is sent twice', async () => {
    const ran: unknown[] = [];
    const { generateText, tools, messages } = await asked([asks], ran);
    await generateText({ model: modelOf(says('done')), tools, stopWhen, messages });
    await generateText({ model: modelOf(says('done')), tools, stopWhen, messages });
    expect(ran).to.deep.equal([{ at: 'x' }]);
  });

  it('for text that preCall removed from a message, after an approval', async () => {
    const clean: HookDefinition = {
      name: 'clean',
      on: {
        preCall: (event) =>
          modify(event, {
            messages: event.messages.map((one) =>
              textOf(one).includes('1234') ? userMessage('The code is ****.') : one,
            ),
          }),
      },
    };
    const { generateText, tools, messages } = await asked([clean, asks], []);
    const model = modelOf(says('done'));
    await generateText({ model, tools, stopWhen, messages });
    const sent = JSON.stringify(model.doGenerateCalls.map((call) => call.prompt));
    expect(sent).to.contain('****').and.not.contain('1234');
  });

  it('for the body of a response or for raw parts', async () => {
    const clean: HookDefinition = {
      name: 'clean',
      on: {
        postReasoning: (event) =>
          modify(event, { message: { ...event.message, parts: [{ type: 'text', text: '****' }] } }),
      },
    };
    const model = new MockLanguageModelV4({
      doGenerate: { ...says('the code is 1234'), response: { id: 'r1', body: 'the code is 1234' } } as never,
    });
    const result = await hooked([clean]).generateText({ model, prompt: 'go' });
    expect(result.response.id).to.equal('r1');
    expect(JSON.stringify([result.text, result.response, result.steps])).to.not.contain('1234');
  });

  it('for an agent that changes its model or its tools', () => {
    const Agent = hooked([watch]).ToolLoopAgent as unknown as typeof ai.ToolLoopAgent;
    expect(() => new Agent({ model: modelOf(), prepareCall: (call: never) => call } as never)).to.throw('prepareCall');
  });

  it('for a failing hook on results in the last step', async () => {
    const broken: HookDefinition = {
      name: 'broken',
      on: {
        postActing() {
          throw new Error('broken');
        },
      },
    };
    const { generateText } = hooked([broken]);
    const error = await rejection(
      generateText({ model: modelOf(calls('look', { at: 'x' })), tools: look(), prompt: 'go' }),
    );
    expect(error.message).to.contain('broken');
  });
});
