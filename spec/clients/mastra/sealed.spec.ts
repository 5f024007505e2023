import './no-telemetry.ts';
import { createTool } from '@mastra/core/tools';
import { expect } from 'chai';
import { z } from 'zod';
import { type HookDefinition, type JsonObject, modify } from '../../../lib/index.ts';
import { type Any, call, scene } from './scene.ts';

const mild = { chunks: ['It is ', 'mild.'] };

describe('a value that a hook adds to a Mastra call', () => {
  const going = async (give: (context: Any) => JsonObject, further: object = {}) => {
    const hook: HookDefinition = {
      name: 'gives',
      on: {
        preActing: (event, context) =>
          modify(event, { toolCall: { ...event.toolCall, input: { ...event.toolCall.input, ...give(context) } } }),
      },
    };
    const ran: unknown[] = [];
    const inputSchema = z.object({ at: z.enum(['x', 'y']), who: z.object({ id: z.number() }).optional() });
    const go = createTool({
      id: 'go',
      description: 'Goes.',
      inputSchema,
      execute: async (input: unknown) => {
        ran.push(input);
        return { went: true };
      },
      ...further,
    } as Any);
    const { agent, model } = scene({
      turns: [{ calls: [call('c1', 'go', { at: 'x' })] }, mild],
      hooks: [hook],
      given: { go },
    });
    const told: unknown[] = [];
    const result: Any = await agent.stream('Go!', { onStepFinish: (step: unknown) => void told.push(step) });
    for await (const part of result.fullStream) told.push(part);
    told.push(await result.getFullOutput(), model.prompts);
    return { ran, told: JSON.stringify(told), prompt: JSON.stringify(model.prompts[1]) };
  };

  it('is not revealed if it is invalid, but its place is', async () => {
    for (const give of [
      ({ seal }: Any) => ({ at: seal('place', 'swordfish') }),
      ({ seal }: Any) => ({ at: seal('place', { swordfish: 1 }) }),
      () => ({ at: 'swordfish' }),
    ]) {
      const { ran, told, prompt } = await going(give);
      expect(ran).to.deep.equal([]);
      expect(told).not.to.include('swordfish');
      expect(prompt).to.include('schema validation failed at at.');
    }
  });

  it('is not revealed if the issue is inside it or next to it', async () => {
    const within = await going(({ seal }) => ({ who: seal('user', { id: 'swordfish' }) }));
    expect(within.told).not.to.include('swordfish');
    expect(within.prompt).to.include('schema validation failed at who.');
    const beside = await going(({ seal }) => ({ at: 'z', who: { id: seal('user', 7007) } }));
    expect(beside.told).not.to.include('7007');
    expect(beside.prompt).to.include('schema validation failed at at.');
  });

  it('is not revealed if an invalid result quotes it', async () => {
    const further = { outputSchema: z.object({ at: z.number() }), execute: async (input: object) => input };
    const { told, prompt } = await going(({ seal }) => ({ who: { id: seal('user', 7007) } }), further);
    expect(told).not.to.include('7007');
    expect(prompt).to.include('schema validation failed at at.');
  });

  it('reaches the tool if it is valid', async () => {
    const { ran, prompt } = await going(({ seal }) => ({ at: seal('place', 'y') }));
    expect(ran).to.deep.equal([{ at: 'y' }]);
    expect(prompt).to.include('went');
  });
});
