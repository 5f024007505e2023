import * as ai from 'ai';
import { expect } from 'chai';
import { assistantMessage, finish, type HookDefinition, respond } from '../../../../lib/index.ts';
import { calls, hooked, look, modelOf, rejection, says, stopWhen, watch } from './scene.ts';

const cached = assistantMessage('cached');
const ends: readonly HookDefinition[] = [
  { name: 'cache', on: { preCall: (event) => respond(event, cached) } },
  { name: 'cache', on: { preReasoning: (event) => respond(event, cached) } },
  { name: 'cache', on: { postReasoning: (event) => finish(event) } },
];
const choices = ['required', { type: 'tool', toolName: 'look' }] as const;

function streamOf(...parts: readonly object[]) {
  const finishReason = { unified: 'tool-calls', raw: 'tool-calls' };
  const usage = { inputTokens: {}, outputTokens: {} };
  const chunks = [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }];
  return Object.assign(modelOf(), { doStream: async () => ({ stream: ai.simulateReadableStream({ chunks }) }) });
}
const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{"at":"x"}' };

describe('a required toolChoice in version 7 of the AI SDK', () => {
  it('fails if a hook answers or ends the run, and names the hook and fix', async () => {
    for (const hook of ends) {
      for (const toolChoice of choices) {
        const { generateText, recorded } = hooked([hook]);
        const model = modelOf(calls('look', { at: 'x' }));
        const error = await rejection(generateText({ model, tools: look(), toolChoice, stopWhen, prompt: 'go' }));
        expect(ai.ToolChoiceViolationError.isInstance(error)).to.be.true;
        expect(error.message).to.include('Hook "cache"').and.to.include('toolChoice');
        expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
      }
    }
  });

  it('fails in a stream too, once', async () => {
    for (const hook of ends) {
      const { streamText } = hooked([hook]);
      const told: unknown[] = [];
      const onError = ({ error }: { error: unknown }) => void told.push(error);
      const model = streamOf(call) as never;
      const result = streamText({ model, tools: look(), toolChoice: 'required', stopWhen, prompt: 'go', onError });
      await result.consumeStream();
      expect(told.map((error) => ai.ToolChoiceViolationError.isInstance(error))).to.deep.equal([true]);
      expect(String(told[0])).to.include('Hook "cache"');
    }
  });

  it('fails as without hooks if the model makes no call', async () => {
    const { generateText } = hooked([watch]);
    const given = { tools: look(), toolChoice: 'required', stopWhen, prompt: 'go' } as const;
    const error = await rejection(generateText({ model: modelOf(says('no')), ...given }));
    const bare = await rejection(ai.generateText({ model: modelOf(says('no')), ...given }));
    expect(error.message).to.equal(bare.message);
  });

  it('is satisfied by a call in the answer of a hook', async () => {
    const toolCall = { id: 'c1', name: 'look', input: { at: 'x' } };
    const answers: HookDefinition = {
      name: 'answers',
      on: { preReasoning: (event) => respond(event, { role: 'assistant', parts: [{ type: 'toolCall', toolCall }] }) },
    };
    for (const toolChoice of choices) {
      const ran: unknown[] = [];
      const tools = look((input) => ran.push(input));
      await hooked([answers]).generateText({ model: modelOf(), tools, toolChoice, prompt: 'go' });
      await hooked([answers])
        .streamText({ model: streamOf() as never, tools, toolChoice, prompt: 'go' })
        .consumeStream();
      expect(ran).to.have.length(2);
    }
  });

  it('does not apply to auto: a hook may answer without a call', async () => {
    const { text } = await hooked([ends[1] as HookDefinition]).generateText({
      model: modelOf(),
      tools: look(),
      toolChoice: 'auto',
      prompt: 'go',
    });
    expect(text).to.equal('cached');
  });
});
