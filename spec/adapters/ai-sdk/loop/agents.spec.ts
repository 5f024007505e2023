import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect } from 'chai';
import { hooked, watch } from './scene.ts';

const modelOfStream = () =>
  new MockLanguageModelV4({
    doStream: {
      stream: ai.simulateReadableStream({
        chunks: [
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'mild' },
          { type: 'text-end', id: '1' },
          {
            type: 'finish',
            finishReason: { unified: 'stop', raw: 'stop' },
            usage: { inputTokens: {}, outputTokens: {} },
          },
        ],
      }) as never,
    },
  });

type Names = readonly string[];

/** The called callbacks of an agent and of a call, with or without hooks, and how often the run had ended at each. */
async function called(ofAgent: Names, ofCall: Names, bare: boolean) {
  const scene = hooked([watch]);
  const Agent = (bare ? ai : scene).ToolLoopAgent as unknown as typeof ai.ToolLoopAgent;
  const told: string[] = [];
  const ended: number[] = [];
  const listen = (whose: string, names: Names) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        () => {
          told.push(`${name} of the ${whose}`);
          ended.push(scene.recorded.of('postCall').length);
        },
      ]),
    );
  const agent = new Agent({ model: modelOfStream(), ...listen('agent', ofAgent) });
  const result = await agent.stream({ prompt: 'go', ...listen('call', ofCall) });
  await result.consumeStream();
  return { told, ended, ends: scene.recorded.of('postCall').length };
}

describe('a stream of an AI SDK agent with hooks', () => {
  const lists: readonly Names[] = [[], ['onEnd'], ['onFinish'], ['onEnd', 'onFinish']];
  for (const ofAgent of lists) {
    for (const ofCall of lists)
      it(`calls [${ofAgent}] of the agent and [${ofCall}] of the call as without hooks, after the run`, async () => {
        const bare = await called(ofAgent, ofCall, true);
        const { told, ended, ends } = await called(ofAgent, ofCall, false);
        expect(told).to.deep.equal(bare.told);
        expect([ends, ...ended]).to.deep.equal([1, ...ended.map(() => 1)]);
      });
  }
});
