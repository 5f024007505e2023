import './no-telemetry.ts';
import { createTool } from '@mastra/core/tools';
import { expect } from 'chai';
import { z } from 'zod';
import { redacts } from '../redacts.ts';
import { type Any, call, scene } from './scene.ts';

describe('arguments from a Mastra model that are not an object', () => {
  for (const hooks of [[], [redacts]])
    it(`run nothing${hooks.length > 0 ? ', even if a hook changes the reported arguments' : ''}`, async () => {
      // Mastra itself turns a list into an object.
      for (const input of ['swordfish', null, 5]) {
        const ran: unknown[] = [];
        const wipe = createTool({
          id: 'wipe',
          description: 'Wipes all, or only one place.',
          inputSchema: z.object({ only: z.string().optional() }),
          execute: async (one: unknown) => {
            ran.push(one);
            return 'wiped';
          },
        } as Any);
        const turns = [{ calls: [call('c1', 'wipe', input as never)] }, { chunks: ['Done.'] }];
        const { agent, model } = scene({ turns, hooks, given: { wipe } });
        const result: Any = await agent.stream('Go!');
        for await (const _ of result.fullStream);
        expect(ran, JSON.stringify(input)).to.deep.equal([]);
        if (hooks.length > 0) expect(JSON.stringify(model.prompts)).to.not.include('swordfish');
      }
    });
});
