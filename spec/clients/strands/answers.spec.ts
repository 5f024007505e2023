import { expect } from 'chai';
import { modify } from '../../../lib/index.ts';
import { answers, asksForLook, call, scene } from './scene.ts';

const mild = { chunks: ['It is mild.'] };

describe('pending calls in Strands', () => {
  it('are answered separately if there are two', async () => {
    const two = { calls: [call('c1', 'look', { at: 'x' }), call('c2', 'look', { at: 'y' })] };
    const { agent, ran, recorded } = scene({ turns: [two, mild], tools: { look: () => 'seen' }, hooks: [asksForLook] });
    // The host reports one prompt at a time.
    const first = await agent.invoke('Go!');
    expect([first.interrupts?.length, ran]).to.deep.equal([1, []]);
    const second = await agent.invoke(answers(first, { look: true }));
    expect([second.interrupts?.length, ran.length]).to.deep.equal([1, 1]);
    expect((await agent.invoke(answers(second, { look: false }))).stopReason).to.equal('endTurn');
    expect(ran).to.have.length(1);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['executed', 'denied']);
  });

  it('run with the input of an answer', async () => {
    const { agent, ran } = scene({
      turns: [{ calls: [call('c1', 'look', { at: 'x' })] }, mild],
      tools: { look: () => 'seen' },
      hooks: [asksForLook],
    });
    const asked = await agent.invoke('Go!');
    await agent.invoke(answers(asked, { look: { approved: true, input: { at: 'z' } } }));
    expect(ran).to.deep.equal(['look {"at":"z"}']);
  });

  it('treat an invalid answer, or an approval with an invalid edit, as a no', async () => {
    const edits = ['{"at":"z"}', [], null, 5].map((input) => ({ approved: true, input }));
    for (const answer of ['yes', { approved: 'true' }, ...edits]) {
      const { agent, ran, model } = scene({
        turns: [{ calls: [call('c1', 'look')] }, mild],
        tools: { look: () => 'seen' },
        hooks: [asksForLook],
      });
      await agent.invoke(answers(await agent.invoke('Go!'), { look: answer }));
      expect(ran).to.deep.equal([]);
      expect(model.prompts.at(-1)).to.include('the answer is invalid');
    }
  });

  it('get one prompt from two approvers', async () => {
    const { agent, ran } = scene({
      turns: [{ calls: [call('c1', 'look')] }, mild],
      tools: { look: () => 'seen' },
      hooks: [asksForLook, { ...asksForLook, name: 'asks too' }],
    });
    const asked = await agent.invoke('Go!');
    expect(asked.interrupts?.map(({ reason }) => (reason as { asks?: unknown[] }).asks?.length)).to.deep.equal([2]);
    expect((await agent.invoke(answers(asked, { look: true }))).stopReason).to.equal('endTurn');
    expect(ran).to.have.length(1);
  });

  it('accept an approval without a stored call only for exactly the shown call', async () => {
    const runs = async (at: string) => {
      const make = () =>
        scene({
          turns: [{ calls: [call('c1', 'look', { at: 'x' })] }, mild],
          tools: { look: () => 'seen' },
          hooks: [
            {
              name: 'moves',
              on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { at } } }) },
            },
            asksForLook,
          ],
        });
      const here = make();
      const asked = await here.agent.invoke('Go!');
      // Another process, with an empty store.
      const there = make();
      there.agent.loadSnapshot(JSON.parse(JSON.stringify(here.agent.takeSnapshot({ preset: 'session' }))));
      there.model.asked.push(...here.model.asked);
      const { stopReason } = await there.agent.invoke(answers(asked, { look: true }));
      return [stopReason, ...there.ran];
    };
    expect(await runs('x')).to.deep.equal(['endTurn', 'look {"at":"x"}']);
    expect(await runs('y')).to.deep.equal(['interrupt']);
  });
});
