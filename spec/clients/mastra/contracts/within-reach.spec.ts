import '../no-telemetry.ts';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { expect } from 'chai';
import { hookedMastra } from '../../../../lib/adapters/mastra/index.ts';
import { createPipeline, defineHook } from '../../../../lib/index.ts';
import type { Any } from '../../ai-sdk/scene.ts';
import { scriptedLanguageModel } from '../../ai-sdk/scripted-language-model.ts';
import { redacting, SEALED, TAKEN } from '../../redacting.ts';
import { collected, withinReach } from '../../within-reach.ts';

describe('data of a run that Mastra receives', () => {
  for (const streamed of [false, true])
    it(`contains no removed text and no sealed value (${streamed ? 'streamed' : 'whole'})`, async () => {
      const turns = [
        { chunks: [`It is ${TAKEN}. `], calls: [{ id: 'c1', name: 'look', input: { at: 'x' } }] },
        { chunks: [`It is ${TAKEN}.`] },
      ];
      const model = scriptedLanguageModel('v2', turns);
      const ran: unknown[] = [];
      const look = createTool({
        id: 'look',
        description: 'Looks.',
        execute: async (input: Any) => {
          ran.push(input.at);
          return `${SEALED} says ${TAKEN}`;
        },
      });
      const hooked = hookedMastra({ model, tools: { look } }, createPipeline([defineHook(redacting)]), {
        agent: 'guest',
      });
      const agent: Any = new Agent({
        ...{ id: 'guest', name: 'guest', instructions: 'Be kind.' },
        ...{ model: hooked.model, tools: hooked.tools },
      });
      const store = new InMemoryStore();
      new Mastra({ agents: { guest: agent }, storage: store, logger: false });
      const guest: Any = hooked.hookedAgent(agent);
      const result: Any = streamed ? await guest.stream('Go!') : await guest.generate('Go!');
      const parts = streamed ? await collected(result.fullStream) : [];
      const told = await Promise.all(['text', 'steps', 'toolResults'].map((one) => result[one]));
      expect(ran).to.deep.equal([SEALED]);
      const own = [model, look, turns];
      const received = [parts, told, streamed ? [] : result, store];
      expect(withinReach(received, [TAKEN, SEALED], own)).to.deep.equal([]);
      expect(withinReach(received, ['gone'], own)).not.to.deep.equal([]);
    });
});
