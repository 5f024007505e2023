import { Agent, Runner, tool } from '@openai/agents-core';
import { expect } from 'chai';
import { withHooks } from '../../../lib/adapters/openai-agents/index.ts';
import { createPipeline, defineHook } from '../../../lib/index.ts';
import { redacting, SEALED, TAKEN } from '../redacting.ts';
import { collected, withinReach } from '../within-reach.ts';
import { scriptedAgentsModel } from './scripted-agents-model.ts';

describe('data of a run that OpenAI Agents receives', () => {
  for (const streamed of [false, true])
    it(`contains no removed text and no sealed value (${streamed ? 'streamed' : 'whole'})`, async () => {
      const turns = [
        { chunks: [`It is ${TAKEN}. `], calls: [{ id: 'c1', name: 'look', input: { at: 'x' } }] },
        { chunks: [`It is ${TAKEN}.`] },
      ];
      const model = scriptedAgentsModel(turns);
      const ran: string[] = [];
      const look = tool({
        name: 'look',
        description: 'Looks.',
        parameters: { type: 'object', properties: {}, additionalProperties: true } as never,
        strict: false,
        execute: async (input: unknown) => {
          ran.push((input as { readonly at: string }).at);
          return `${SEALED} says ${TAKEN}`;
        },
      });
      const agent = new Agent({ name: 'guest', model, tools: [look as never] });
      const { run } = withHooks(new Runner(), createPipeline([defineHook(redacting)]), { agent: 'guest' });
      const heard: unknown[] = [];
      for (const name of ['agent_start', 'agent_end', 'agent_tool_start', 'agent_tool_end'] as const)
        agent.on(name as never, ((...given: unknown[]) => void heard.push(given)) as never);
      const result = streamed ? await run(agent, 'Go!', { stream: true }) : await run(agent, 'Go!');
      const parts = streamed ? await collected(result as never) : [];
      expect(ran).to.deep.equal([SEALED]);
      const own = [model, look, turns, agent];
      const received = [result, parts, heard];
      expect(withinReach(received, [TAKEN, SEALED], own)).to.deep.equal([]);
      expect(withinReach(received, ['gone'], own)).not.to.deep.equal([]);
    });
});
