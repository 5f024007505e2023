import * as strands from '@strands-agents/sdk';
import { expect } from 'chai';
import { hookline } from '../../../lib/adapters/strands/index.ts';
import { createPipeline, defineHook } from '../../../lib/index.ts';
import { redacting, SEALED, TAKEN } from '../redacting.ts';
import { collected, withinReach } from '../within-reach.ts';
import { ScriptedModel } from './scripted-model.ts';

describe('data of a run that Strands receives', () => {
  it('contains no removed text and no sealed value', async () => {
    const turns = [
      { chunks: [`It is ${TAKEN}. `], calls: [{ id: 'c1', name: 'look', input: { at: 'x' } }] },
      { chunks: [`It is ${TAKEN}.`] },
    ];
    const model = new ScriptedModel(turns);
    const ran: unknown[] = [];
    const look = new strands.FunctionTool({
      name: 'look',
      description: 'Looks.',
      inputSchema: { type: 'object', properties: {} },
      callback: (input: unknown) => {
        ran.push((input as { readonly at: string }).at);
        return `${SEALED} says ${TAKEN}`;
      },
    });
    const plugins = [hookline(strands, createPipeline([defineHook(redacting)]), { agent: 'guest' })];
    const agent = new strands.Agent({ model, tools: [look], plugins, printer: false });
    const events = await collected(agent.stream('Go!'));
    expect(ran).to.deep.equal([SEALED]);
    const own = [model, look, turns];
    const received = [events, agent, agent.messages, agent.takeSnapshot({ preset: 'session' })];
    expect(withinReach(received, [TAKEN, SEALED], own)).to.deep.equal([]);
    expect(withinReach(received, ['gone'], own)).not.to.deep.equal([]);
  });
});
