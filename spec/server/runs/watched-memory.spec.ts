import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import { createChat } from '../../../lib/chat/create-chat.ts';
import { type Agent, createAgent, createPipeline, userMessage } from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { createRuns } from '../../../lib/server/runs/create-runs.ts';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const user = { userId: 'ada' };
const show = { name: 'show', description: 'Shows it.', inputSchema: { type: 'object' } };

describe('the memory of watched runs', () => {
  it('contains no agents of ended runs, nor of runs that only their client can continue', async () => {
    const runs = createRuns({ store: memoryStore(), limits: { kept: 1 } });
    const agents: WeakRef<Agent>[] = [];
    const chat = createChat({
      agent() {
        const model = scriptedModel([{ toolCalls: [{ name: 'show', input: {} }] }]);
        const agent = createAgent({ name: 'a', model, pipeline: createPipeline([], { log: silentLogger }) });
        agents.push(new WeakRef(agent));
        return agent;
      },
      ...{ identify: () => user, runs, log: silentLogger },
    });
    for (let round = 0; round < 20; round++) {
      const run = await chat.open(user, { threadId: `t${round}`, messages: [userMessage('Show it')], tools: [show] });
      if ('events$' in run) await lastValueFrom(run.events$.pipe(toArray()));
    }
    for (let round = 0; round < 5; round++) {
      await sleep(10);
      collect();
    }
    expect(agents.filter((agent) => agent.deref())).to.have.length.below(3);
  });
});
