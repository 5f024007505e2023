import { expect } from 'chai';
import { verdict } from '../../../lib/index.ts';
import { type Any, answering, call, scene } from './scene.ts';

const mild = { chunks: ['It is ', 'mild.'] };
const looks = { chunks: ['Looking.'], calls: [call('c1', 'look', { at: 'x' })] };
const asksForLook = {
  name: 'asks',
  approve: ({ toolCall }: { toolCall: { name: string } }) =>
    toolCall.name === 'look' ? verdict.suspend('Look there?') : verdict.allow(),
};

describe('pending calls in Mastra', () => {
  it('run once each, if one is pending and a concurrent one is not', async () => {
    const { agent, ran } = scene({
      turns: [{ calls: [call('c1', 'look'), call('c2', 'peek')] }, mild],
      tools: { look: () => 'seen', peek: () => 'peeked' },
      hooks: [asksForLook],
    });
    const asked: Any = await agent.generate('Go!');
    expect(asked.finishReason).to.equal('suspended');
    await agent.resumeGenerate({ approved: true }, answering(asked));
    expect([...ran].sort()).to.deep.equal(['look {}', 'peek {}']);
  });

  it('are answered separately if there are two', async () => {
    const { agent, ran, recorded } = scene({
      turns: [{ calls: [call('c1', 'look', { at: 'x' }), call('c2', 'look', { at: 'y' })] }, mild],
      tools: { look: () => 'seen' },
      hooks: [asksForLook],
    });
    const asked: Any = await agent.generate('Go!');
    const again: Any = await agent.resumeGenerate({ approved: true }, { runId: asked.runId, toolCallId: 'c1' });
    expect([again.finishReason, ran]).to.deep.equal(['suspended', ['look {"at":"x"}']]);
    await agent.resumeGenerate({ approved: false }, { runId: asked.runId, toolCallId: 'c2' });
    expect(ran).to.deep.equal(['look {"at":"x"}']);
    expect(recorded.of('postCall').at(-1)?.outcome).to.equal('completed');
  });

  it('run with the input of the answer', async () => {
    const { agent, ran, recorded } = scene({
      turns: [looks, mild],
      tools: { look: () => 'seen' },
      hooks: [asksForLook],
    });
    const asked: Any = await agent.generate('Go!');
    expect(asked.suspendPayload.suspendPayload).to.deep.include({ prompt: 'Look there?', by: 'asks' });
    await agent.resumeGenerate({ approved: true, input: { at: 'z' } }, answering(asked));
    expect(ran).to.deep.equal(['look {"at":"z"}']);
    expect(recorded.of('preCall')[1]?.run.resumedFrom).to.equal(recorded.of('preCall')[0]?.run.runId);
  });

  it('are answered by approveToolCall and declineToolCall too', async () => {
    for (const [method, expected] of [
      ['approveToolCallGenerate', ['look {"at":"x"}']],
      ['declineToolCallGenerate', []],
    ] as const) {
      const { agent, ran } = scene({ turns: [looks, mild], tools: { look: () => 'seen' }, hooks: [asksForLook] });
      const told: Any = await agent[method](answering(await agent.generate('Go!')));
      expect([told.finishReason, ran], method).to.deep.equal(['stop', expected]);
    }
  });

  it('stay pending after an invalid answer or an approval with an invalid edit', async () => {
    const edits = ['{"at":"z"}', [], null, 5].map((input) => ({ approved: true, input }));
    for (const answer of [{ yes: 'please' }, ...edits]) {
      const { agent, ran } = scene({ turns: [looks, mild], tools: { look: () => 'seen' }, hooks: [asksForLook] });
      const told: Any = await agent.resumeGenerate(answer, answering(await agent.generate('Go!')));
      expect([told.finishReason, ran]).to.deep.equal(['suspended', []]);
    }
  });

  it("are separate from Mastra's own approvals: an answer covers one prompt", async () => {
    for (const set of ['tool', 'option'] as const) {
      const toolConfig = set === 'tool' ? { requireApproval: true } : {};
      const options = set === 'option' ? { requireToolApproval: true } : {};
      const { agent, ran } = scene({
        turns: [looks, mild],
        tools: { look: () => 'seen' },
        hooks: [asksForLook],
        toolConfig,
      });
      const asked: Any = await agent.generate('Go!', options);
      const again: Any = await agent.approveToolCallGenerate({ ...options, ...answering(asked) });
      expect([again.finishReason, ran], set).to.deep.equal(['suspended', []]);
      expect(again.suspendPayload.suspendPayload).to.deep.include({ prompt: 'Look there?', by: 'asks' });
      const told: Any = await agent.approveToolCallGenerate({ ...options, ...answering(again) });
      expect([told.finishReason, ran], set).to.deep.equal(['stop', ['look {"at":"x"}']]);
    }
  });

  it('are separate from interrupts of the tool itself', async () => {
    const heard: unknown[] = [];
    const { agent, ran } = scene({
      turns: [looks, mild],
      tools: {
        look(_, { agent: { suspend, resumeData } }) {
          heard.push(resumeData);
          return resumeData ? 'seen' : suspend({ sure: '?' });
        },
      },
    });
    const asked: Any = await agent.generate('Go!');
    const told: Any = await agent.resumeGenerate({ approved: false }, answering(asked));
    expect([told.finishReason, ran.length]).to.deep.equal(['stop', 2]);
    expect(heard).to.deep.equal([undefined, { approved: false }]);
  });

  it('may belong to a tool that interrupts itself', async () => {
    const { agent, ran } = scene({
      turns: [looks, mild],
      tools: {
        look: (_, { agent: { suspend, resumeData } }) =>
          resumeData ? `seen ${resumeData.where}` : suspend({ where: '?' }),
      },
    });
    const asked: Any = await agent.generate('Go!');
    expect(asked.finishReason).to.equal('suspended');
    const told: Any = await agent.resumeGenerate({ where: 'there' }, answering(asked));
    expect([told.finishReason, ran.length]).to.deep.equal(['stop', 2]);
  });
});
