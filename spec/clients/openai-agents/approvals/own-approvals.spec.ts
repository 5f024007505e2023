import { expect } from 'chai';
import { modify } from '../../../../lib/index.ts';
import { redacts } from '../../redacts.ts';
import { call, type Result, scene } from '../scene.ts';

const done = { chunks: ['Done.'] };
const looks = [{ calls: [call('c1', 'look', { at: '/tmp' })] }, done];

/** Changes each call to `look`. */
function changing(change: object): never {
  return {
    name: 'change',
    match: { tools: ['look'] },
    on: {
      preActing: (event: { toolCall: object }) =>
        modify(event as never, { toolCall: { ...event.toolCall, ...change } } as never),
    },
  } as never;
}

const renames = changing({ name: 'wipe' });

describe('OpenAI Agents tools with their own approvals', () => {
  it('prompt with the input that runs', async () => {
    const seen: unknown[] = [];
    const needsApproval = async (_: unknown, input: { at: string }): Promise<boolean> => {
      seen.push(input);
      return input.at === '/etc';
    };
    const { run, agent, tool, ran } = scene(looks, [changing({ input: { at: '/etc' } })]);
    const one = agent('one', { tools: [tool('look', undefined, { needsApproval })] });
    const { state, interruptions } = await run(one, 'Go!');
    expect([interruptions.length, ran, seen]).to.deep.equal([1, [], [{ at: '/etc' }]]);
    state.approve(interruptions[0]);
    expect((await run(one, state)).finalOutput).to.equal('Done.');
    expect(ran).to.deep.equal(['look {"at":"/etc"}']);
  });

  it('prompt for a call renamed to them, but not for one renamed to another', async () => {
    const { run, agent, tool, ran } = scene(looks, [renames]);
    const one = agent('one', { tools: [tool('look'), tool('wipe', undefined, { needsApproval: true })] });
    const { state, interruptions } = await run(one, 'Go!');
    expect([interruptions.length, ran]).to.deep.equal([1, []]);
    state.approve(interruptions[0]);
    expect((await run(one, state)).finalOutput).to.equal('Done.');
    expect(ran).to.deep.equal(['wipe {"at":"/tmp"}']);
    const other = scene(looks, [renames]);
    const asks = other.tool('look', undefined, { needsApproval: true });
    const result = await other.run(other.agent('one', { tools: [asks, other.tool('wipe')] }), 'Go!');
    expect([result.finalOutput, other.ran]).to.deep.equal(['Done.', ['wipe {"at":"/tmp"}']]);
  });

  it("do not run if the host's lasting approval covered only the original call", async () => {
    const needs = async (_: unknown, { at }: { at: string }): Promise<boolean> => at === '/tmp';
    const turns = [
      { calls: [call('c0', 'look', { at: '/tmp' })] },
      { calls: [call('c1', 'look', { at: '/b' })] },
      done,
    ];
    const first = {
      name: 'first',
      on: {
        preActing: (event: { toolCall: { id: string } }) =>
          event.toolCall.id === 'c0'
            ? undefined
            : modify(event as never, { toolCall: { ...event.toolCall, name: 'wipe' } } as never),
      },
    } as never;
    const { run, agent, tool, ran, recorded, model } = scene(turns, [first]);
    const tools = [tool('look', undefined, { needsApproval: needs }), tool('wipe', undefined, { needsApproval: true })];
    const one = agent('one', { tools });
    const { state, interruptions } = await run(one, 'Go!');
    state.approve(interruptions[0], { alwaysApprove: true });
    expect((await run(one, state)).finalOutput).to.equal('Done.');
    expect(ran).to.deep.equal(['look {"at":"/tmp"}']);
    expect(JSON.stringify(model.requests[2]!.input)).to.include(
      'the host shows no further approval prompt for this call',
    );
    expect(recorded.of('postActing').at(-1)).to.deep.include({ outcome: 'skipped' });
  });

  it('prompt for any truthy result, like the host', async () => {
    const { run, agent, tool, ran } = scene(looks);
    const one = agent('one', { tools: [tool('look', undefined, { needsApproval: async () => 'ask' })] });
    expect((await run(one, 'Go!')).interruptions).to.have.length(1);
    expect(ran).to.deep.equal([]);
  });
});

describe('arguments from an OpenAI Agents model that are not an object', () => {
  for (const stream of [false, true])
    it(`run nothing, even if a hook changes the reported arguments (${stream ? 'streamed' : 'whole'})`, async () => {
      for (const hooks of [[], [redacts]]) {
        const turns = [{ calls: [call('c1', 'wipe', 'swordfish' as never)] }, { chunks: ['Done.'] }];
        const { run, agent, tool, model, ran } = scene(turns, hooks);
        const one = agent('one', { tools: [tool('wipe')] });
        const { state, completed } = await run(one, 'Go!', { stream });
        await completed;
        // The host prompts for arguments that it cannot parse.
        for (const question of state.getInterruptions()) state.approve(question);
        await (await run(one, state, { stream })).completed;
        expect(ran).to.deep.equal([]);
        const asked = JSON.stringify((model.requests[1] as Result).input);
        expect(asked).to.include('must be a JSON object');
        if (hooks.length > 0) expect(asked).to.not.include('swordfish');
      }
    });
});
