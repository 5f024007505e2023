import { tool } from '@langchain/core/tools';
import { expect } from 'chai';
import { z } from 'zod';
import { redacts } from '../redacts.ts';
import { scene, thread } from './scene.ts';

describe('arguments from a LangChain model that are not an object', () => {
  for (const hooks of [[], [redacts]])
    for (const how of ['invoke', 'stream'] as const)
      it(`run nothing${hooks.length > 0 ? ', even if a hook changes the reported arguments' : ''} (${how})`, async () => {
        for (const input of ['swordfish', ['swordfish'], null]) {
          const ran: unknown[] = [];
          const wipe = tool((one) => ran.push(one) && 'wiped', {
            name: 'wipe',
            description: 'Wipes all, or only one place.',
            schema: z.object({ only: z.string().optional() }),
          });
          const turns = [{ calls: [{ id: 'c1', name: 'wipe', input: input as never }] }, { chunks: ['Done.'] }];
          const { agent, model, recorded } = scene({ turns, hooks, tools: [wipe] });
          if (how === 'invoke') await agent.invoke({ messages: 'Go!' }, thread);
          else for await (const _ of await agent.stream({ messages: 'Go!' }, thread));
          expect(ran, JSON.stringify(input)).to.deep.equal([]);
          expect(recorded.of('postActing').map(({ result }) => result.isError)).to.deep.equal([true]);
          expect(model.prompts[1]).to.include('must be a JSON object');
          if (hooks.length > 0) expect(model.prompts[1]).to.not.include('swordfish');
        }
      });
});
