import { expect } from 'chai';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { retry } from '../../../lib/events/decisions/retry.ts';
import { textOf } from '../../../lib/events/parts/messages.ts';
import { type PromptHintOptions, promptHint } from '../../../lib/hooks/prompt-hint/prompt-hint.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { scriptedTool } from '../../../lib/testing/scripts/scripted-tool.ts';

/** The injected instructions, by model request. */
async function told(hints: PromptHintOptions['hints'], name = 'a'): Promise<string[][]> {
  const model = scriptedModel([{ toolCalls: [{ name: 'look', input: {} }] }, 'Done.', 'Again.']);
  const tools = [scriptedTool({ name: 'look', permission: 'read', result: 'sun' })];
  const agent = createAgent({
    name,
    instructions: 'Be kind.',
    model,
    tools,
    pipeline: createPipeline([promptHint({ hints })]),
  });
  await agent.call('go', { sessionId: 's' });
  await agent.call('and?', { sessionId: 's' });
  return model.requests.map(({ messages }) => messages.map((message) => `${message.role}: ${textOf(message)}`));
}

describe('promptHint', () => {
  it('adds instructions after the system messages or at the end, never to the transcript', async () => {
    const [first, second, third] = await told([
      { text: 'Think first.' },
      { text: 'Answer in one line.', place: 'end' },
    ]);
    expect(first).to.deep.equal(['system: Be kind.', 'system: Think first.', 'user: go', 'user: Answer in one line.']);
    for (const later of [second, third])
      expect(later?.filter((line) => /Think|one line/.test(line))).to.deep.equal([
        'system: Think first.',
        'user: Answer in one line.',
      ]);
  });

  it('adds them only to the first request of a run, or only for some agents', async () => {
    const counts = async (hint: PromptHintOptions['hints'][number], agent?: string) =>
      (await told([hint], agent)).map((lines) => lines.filter((line) => line.includes('Plan.')).length);
    expect(await counts({ text: 'Plan.', firstOnly: true })).to.deep.equal([1, 0, 1]);
    expect(await counts({ text: 'Plan.', agents: ['b'] })).to.deep.equal([0, 0, 0]);
    for (const name of ['b', 'c-1'])
      expect(await counts({ text: 'Plan.', agents: ['b', 'c-*'] }, name)).to.deep.equal([1, 1, 1]);
  });

  it('adds them again to a request retried after an error', async () => {
    const model = scriptedModel([{ error: 'down' }, 'Done.']);
    const recover = defineHook({
      name: 'recover',
      on: { error: (event) => (event.phase === 'reasoning' ? retry(event) : undefined) },
    });
    const pipeline = createPipeline([promptHint({ hints: [{ text: 'Plan.', firstOnly: true }] }), recover]);
    await createAgent({ name: 'a', model, pipeline }).call('go');
    expect(model.requests.map(({ messages }) => messages.map(textOf))).to.deep.equal([
      ['Plan.', 'go'],
      ['Plan.', 'go'],
    ]);
  });

  it('rejects invalid options', () => {
    for (const [hints, issue] of [
      [[], /hints: must contain at least one hint/],
      [[{ text: ' ' }], /hints\.0\.text: must not be empty/],
      [[{ text: 'x', place: 'top' }], /hints\.0\.place/],
    ] as const)
      expect(() => promptHint({ hints } as never))
        .to.throw(issue)
        .with.property('code', 'OPTIONS_INVALID');
  });

  it('keeps the hook contract', () => hookContract(promptHint({ hints: [{ text: 'Think.' }] })));
});
