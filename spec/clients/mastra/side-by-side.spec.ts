import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { abort, verdict } from '../../../lib/index.ts';
import { type Any, answering, call, scene } from './scene.ts';

const looks = { chunks: ['Looking.'], calls: [call('c1', 'look', { at: 'x' })] };
const mild = { chunks: ['It is mild.'] };
const runId = 'r1';

describe('Mastra invocations with one runId', () => {
  it('cannot be concurrent: the later one is rejected and the other continues', async () => {
    for (const streamed of [false, true]) {
      const { agent, model, ran, recorded } = scene({
        turns: [looks, mild],
        tools: { look: () => sleep(30, 'seen') },
      });
      const go = async (): Promise<string> => {
        const result: Any = streamed ? await agent.stream('Go!', { runId }) : await agent.generate('Go!', { runId });
        return result.text;
      };
      const both = await Promise.allSettled([go(), go()]);
      const [refused, other] = both.toSorted((a, b) => b.status.localeCompare(a.status));
      expect((other as PromiseFulfilledResult<string>).value).to.include('It is mild.');
      expect((refused as PromiseRejectedResult).reason)
        .to.include({ code: 'INPUT_INVALID' })
        .and.to.have.property('message')
        .that.include('a run with the runId "r1" is active');
      expect([model.prompts.length, ran.length]).to.deep.equal([2, 1]);
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
    }
  });

  it('may follow each other after any outcome', async () => {
    const stops = { name: 'stops', on: { preCall: (event: Any) => abort(event, 'enough') } };
    for (const hooks of [[], [stops]]) {
      const { agent, recorded } = scene({ turns: [mild, mild, mild, mild], hooks });
      for (const method of ['generate', 'stream'] as const)
        for (const _ of [1, 2]) {
          const result: Any = await agent[method]('Go!', { runId }).catch(() => undefined);
          await result?.consumeStream?.().catch(() => {});
        }
      expect(recorded.of('postCall')).to.have.length(4);
    }
  });

  it('may continue from one with an abandoned stream', async () => {
    const asks = { name: 'asks', approve: () => verdict.suspend('Look there?') };
    const { agent, ran } = scene({ turns: [looks, mild], tools: { look: () => 'seen' }, hooks: [asks] });
    const left: Any = await agent.stream('Go!', { runId });
    for await (const part of left.fullStream) if (part.type === 'tool-call-suspended') break;
    const asked = answering({ runId, suspendPayload: { toolCallId: 'c1' } });
    expect((await agent.approveToolCallGenerate(asked)).finishReason).to.equal('stop');
    expect(ran).to.deep.equal(['look {"at":"x"}']);
  });
});
