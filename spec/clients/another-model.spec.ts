import { expect } from 'chai';
import { createPipeline, defineHook, modify } from '../../lib/index.ts';
import { silentLogger } from '../../lib/pipeline/logger.ts';
import { hosts } from './ai-sdk/ai-sdk-host.ts';
import { langChainHost } from './langchain/langchain-host.ts';
import { openaiAgentsHost } from './openai-agents/openai-agents-host.ts';
import { strandsHost } from './strands/strands-host.ts';

const renames = defineHook({
  name: 'renames',
  on: { preReasoning: (event) => modify(event, { model: 'cheap-model' }) },
});

describe('a hook that selects another model', () => {
  for (const host of [...hosts, langChainHost('stream'), openaiAgentsHost, strandsHost]) {
    for (const streamed of [false, true]) {
      it(`is logged by ${host.name}, ${streamed ? 'streamed' : 'whole'}, and the host's own model runs`, async () => {
        const warned: unknown[] = [];
        const log = { ...silentLogger, warn: (...told: unknown[]) => void warned.push(told) };
        const pipeline = createPipeline([renames], { log });
        const scene = { agent: 'guest', question: 'Go!', turns: [{ chunks: ['Done.'] }], tools: [], streamed };
        const { prompts, error } = await host.run({ pipeline, ...scene });
        expect([prompts.length, error]).to.deep.equal([1, undefined]);
        expect(JSON.stringify(warned)).to.contain('"cheap-model"').and.to.contain('selects another model');
      });
    }
  }
});
