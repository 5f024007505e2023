import { expect } from 'chai';
import { agentTool, createAgent, createPipeline, defineHook, verdict } from '../../lib/index.ts';
import { silentLogger } from '../../lib/pipeline/logger.ts';
import { scriptedModel, scriptedTool } from '../../lib/testing/index.ts';

const usage = (inputTokens: number, outputTokens: number) => ({ usage: { inputTokens, outputTokens } });
const asksRm = defineHook({
  name: 'asks-rm',
  approve: ({ toolCall }) => (toolCall.name === 'rm' ? verdict.suspend('May I?') : verdict.allow()),
});

/** A parent whose sub-agent calls `rm`, with known usage per model step. */
function team(hooks = [asksRm]) {
  const rm = scriptedTool({ name: 'rm', result: 'gone' });
  const helper = createAgent({
    name: 'helper',
    tools: [rm],
    model: scriptedModel([
      { toolCalls: [{ name: 'rm', input: {} }], ...usage(100, 20) },
      { text: 'helped', ...usage(30, 4) },
    ]),
  });
  return createAgent({
    name: 'parent',
    tools: [agentTool(helper, { description: 'helps' })],
    model: scriptedModel([
      { toolCalls: [{ name: 'helper', input: { prompt: 'go' } }], ...usage(1_000, 200) },
      { text: 'done', ...usage(2_000, 300) },
    ]),
    pipeline: createPipeline(hooks, { log: silentLogger }),
  });
}

describe('the usage of a run', () => {
  it('includes its sub-agents', async () => {
    const { outcome, usage: total } = await team([]).call('go');
    expect(outcome).to.equal('completed');
    expect(total).to.deep.equal({ inputTokens: 3_130, outputTokens: 524 });
  });

  it('counts a sub-agent that was suspended once, after the resume', async () => {
    const agent = team();
    const first = await agent.call('go');
    expect(first.outcome).to.equal('suspended');
    expect(first.usage).to.deep.equal({ inputTokens: 1_000, outputTokens: 200 });
    const { pending } = first.snapshot as { pending: readonly { child: { pending: readonly { key: string }[] } }[] };
    const key = pending[0]?.child.pending[0]?.key ?? '';
    const events: (object | undefined)[] = [];
    await new Promise<void>((resolve) =>
      agent.resume(first.snapshot ?? {}, { [key]: { approved: true } }).subscribe({
        next: (event) => void (event.type === 'postCall' && event.run.depth === 0 && events.push(event.usage)),
        complete: resolve,
      }),
    );
    expect(events).to.deep.equal([{ inputTokens: 3_130, outputTokens: 524 }]);
  });
});
