import * as strands from '@strands-agents/sdk';
import { expect } from 'chai';
import { z } from 'zod';
import { type HookDefinition, modify } from '../../../lib/index.ts';
import { redacts } from '../redacts.ts';
import { call, scene } from './scene.ts';

const mild = { chunks: ['It is mild.'] };

describe('arguments from a Strands model that are not an object', () => {
  const given = async (input: unknown, hooks: readonly HookDefinition[] = []) => {
    const ran: unknown[] = [];
    const wipe = strands.tool({
      name: 'wipe',
      description: 'Wipes all, or only one place.',
      inputSchema: z.object({ only: z.string().optional() }),
      callback(one) {
        ran.push(one);
        return 'wiped';
      },
    });
    const turns = [{ calls: [call('c1', 'wipe', input as never)] }, mild];
    const { agent, model, recorded } = scene({ turns, hooks, config: { tools: [wipe] } });
    await agent.invoke('Go!');
    return { ran, recorded, prompt: model.prompts[1] ?? '', asked: agent.messages[1]?.content[0] };
  };

  it('run nothing: the call fails, and the model sees the reason', async () => {
    for (const input of ['/tmp/x', ['/tmp/x'], null, 5]) {
      const { ran, recorded, prompt, asked } = await given(input);
      expect([ran, recorded.of('postActing').map(({ result }) => result.isError)]).to.deep.equal([[], [true]]);
      expect(recorded.of('preActing')[0]?.toolCall.inputError).to.include('must be a JSON object');
      expect(prompt).to.include('must be a JSON object');
      expect(asked).to.deep.include({ input });
    }
  });

  it('run nothing and are dropped if a hook changes the reported arguments', async () => {
    const { ran, prompt, asked } = await given('swordfish', [redacts]);
    expect(ran).to.deep.equal([]);
    expect(asked).to.deep.include({ input: null });
    expect(prompt).to.include('must be a JSON object').and.not.include('swordfish');
  });

  it('run with the input that a hook sets instead', async () => {
    const mends: HookDefinition = {
      name: 'mends',
      on: {
        preActing: (event) => {
          const { inputError: _, ...toolCall } = event.toolCall;
          return modify(event, { toolCall: { ...toolCall, input: { only: 'x' } } });
        },
      },
    };
    expect((await given('x', [mends])).ran).to.deep.equal([{ only: 'x' }]);
  });

  it('default to an empty object', async () => {
    expect((await given(undefined)).ran).to.deep.equal([{}]);
  });
});
