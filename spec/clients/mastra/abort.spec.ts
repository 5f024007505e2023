import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { abort } from '../../../lib/index.ts';
import { rejection } from '../../tools/rejection.ts';
import { type Any, call, scene } from './scene.ts';

const looks = { chunks: ['Looking.'], calls: [call('c1', 'look', { at: 'x' })] };
const mild = { chunks: ['It is mild.'] };

describe("the caller's signal in Mastra while a tool runs", () => {
  const ignores = () => sleep(80, 'seen');
  const honours = (_: unknown, { abortSignal }: Any) => sleep(80, 'seen', { signal: abortSignal });

  for (const streamed of [false, true])
    it(`aborts the run, with or without support by the tool (${streamed ? 'streamed' : 'whole'})`, async () => {
      for (const look of [ignores, honours]) {
        const stop = new AbortController();
        const heard: string[] = [];
        const { agent, model, recorded } = scene({
          turns: [looks, mild],
          tools: {
            look(input, context) {
              setTimeout(() => stop.abort(), 10);
              return look(input, context);
            },
          },
        });
        const options = {
          abortSignal: stop.signal,
          onAbort: () => void heard.push('abort'),
          onFinish: () => void heard.push('finish'),
        };
        const result: Any = streamed ? await agent.stream('Go!', options) : await agent.generate('Go!', options);
        if (streamed) await result.consumeStream();
        expect([await result.finishReason, heard]).to.deep.equal(['aborted', ['abort']]);
        expect(model.prompts).to.have.length(1);
        expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
        expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
      }
    });

  it("is not required for a hook's abort: the run rejects with the decision", async () => {
    const stops = { name: 'stops', on: { actingChunk: (event: Any) => abort(event, 'enough') } };
    const { agent } = scene({
      turns: [looks, mild],
      tools: { look: async (_, { writer }) => writer.write('half').then(ignores) },
      hooks: [stops],
    });
    const { signal } = new AbortController();
    expect(await rejection(agent.generate('Go!', { abortSignal: signal }))).to.include({ code: 'RUN_ABORTED' });
  });
});
