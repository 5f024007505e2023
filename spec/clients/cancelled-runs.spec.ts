import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createPipeline, defineHook } from '../../lib/index.ts';
import { silentLogger } from '../../lib/pipeline/logger.ts';
import { createRuns } from '../../lib/server/runs/create-runs.ts';
import { memoryStore } from '../../lib/store/documents/memory-store.ts';
import type { LoopHost, LoopScene } from '../../lib/testing/index.ts';
import { hosts as aiSdkHosts } from './ai-sdk/ai-sdk-host.ts';
import { langChainHost } from './langchain/langchain-host.ts';
import { mastraHost } from './mastra/mastra-host.ts';
import { openaiAgentsHost } from './openai-agents/openai-agents-host.ts';
import { strandsHost } from './strands/strands-host.ts';

const hosts = [...aiSdkHosts, langChainHost('stream'), openaiAgentsHost, strandsHost, mastraHost];
const places = ['hook', 'tool'] as const;

/** Starts a run that never ends by itself: its hook or its tool hangs. */
function aHangingRun(host: LoopHost, place: (typeof places)[number], streamed: boolean) {
  const runs = createRuns({ store: memoryStore() });
  let hangs = false;
  let requests = 0;
  const hang = (): Promise<never> => {
    hangs = true;
    return new Promise(() => {});
  };
  const hook = defineHook({
    name: 'hangs',
    observe: ({ type }) => void (type === 'preReasoning' && requests++),
    on: { preActing: () => (place === 'hook' ? hang() : undefined) },
  });
  const pipeline = createPipeline([hook], { log: silentLogger });
  runs.watch(pipeline);
  const inputSchema = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] };
  const look = { name: 'look', description: 'Has a look.', inputSchema, execute: hang };
  const scene: LoopScene = {
    ...{ pipeline, streamed, agent: 'guest', question: 'Go!', tools: [look] },
    turns: [{ chunks: ['Looking.'], calls: [{ id: 'c1', name: 'look', input: { at: 'x' } }] }, { chunks: ['Done.'] }],
    who: { sessionId: 'session', userId: 'ada', metadata: {} },
  };
  const ending = host.run(scene);
  return { runs, ending, hangs: () => hangs, requests: () => requests };
}

describe('a watched run of another loop that is cancelled', () => {
  for (const host of hosts)
    for (const place of places)
      for (const streamed of [false, true])
        it(`ends in ${host.name} while a ${place} hangs (${streamed ? 'streamed' : 'whole'})`, async () => {
          const { runs, ending, hangs, requests } = aHangingRun(host, place, streamed);
          while (!hangs()) await sleep(2);
          const [view] = (await runs.list('ada', 10)).runs;
          const cancelled = await runs.cancel('ada', view!.runId);
          expect(cancelled).to.include({ state: 'ended', outcome: 'cancelled', reason: 'cancelled over HTTP' });
          expect(String((await ending).error)).to.contain('cancelled over HTTP');
          expect(requests()).to.equal(1);
        });
});
