import { expect } from 'chai';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { textOf } from '../../../lib/events/parts/messages.ts';
import { type PlanHintOptions, planHint } from '../../../lib/hooks/plan-hint/plan-hint.ts';
import { promptHint } from '../../../lib/hooks/prompt-hint/prompt-hint.ts';
import { todo } from '../../../lib/hooks/todo/todo.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { scriptedTool } from '../../../lib/testing/scripts/scripted-tool.ts';

const texts = { begin: 'Plan.', progress: 'Compare.', afterErrors: 'It failed.' };
const tools = [
  scriptedTool({ name: 'look', permission: 'read', result: 'seen' }),
  scriptedTool({ name: 'fail', permission: 'read', error: 'no' }),
];
const calling = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name, input: {} })) });

/** The last messages of hooks, by model request. */
async function hints(
  options: PlanHintOptions,
  turns: Parameters<typeof scriptedModel>[0],
  { name = 'a', offered = tools, more = [] as Parameters<typeof createPipeline>[0] & object } = {},
) {
  const model = scriptedModel(turns);
  const pipeline = createPipeline([planHint({ ...texts, ...options }), ...more]);
  const agent = createAgent({ name, model, tools: offered, pipeline });
  await agent.call('go', { sessionId: 's' });
  return model.requests.map(({ messages }) => {
    const last = messages.findLastIndex(({ origin }) => origin === undefined);
    return messages
      .slice(last + 1)
      .map(textOf)
      .join(' ');
  });
}

describe('planHint', () => {
  it('instructs the model to plan first, compare at intervals and review failures', async () => {
    const turns = [calling('look'), calling('look', 'fail'), calling('look'), calling('look'), 'ok'];
    expect(await hints({ every: 4 }, turns)).to.deep.equal(['Plan.', '', 'It failed.', 'Compare.', '']);
  });

  it('skips disabled hints, other agents and requests without tools', async () => {
    const turns = [calling('fail'), calling('look'), 'ok'];
    expect(await hints({ begin: false, afterErrors: false, every: 3 }, turns)).to.deep.equal(['', '', 'Compare.']);
    expect(await hints({ agents: ['b'] }, ['ok'])).to.deep.equal(['']);
    for (const name of ['b', 'c-1'])
      expect(await hints({ agents: ['b', 'c-*'] }, ['ok'], { name })).to.deep.equal(['Plan.']);
    expect(await hints({}, ['ok'], { offered: [] })).to.deep.equal(['']);
  });

  it('comes after prompt-hint and todo in any order of registration', async () => {
    const items = [{ text: 'one', status: 'open' }];
    const turns = [{ toolCalls: [{ name: 'write_todos', input: { items } }] }, calling('look'), calling('fail'), 'ok'];
    const more = [todo({ remindAfter: 2 }), promptHint({ hints: [{ text: 'Be brief.', place: 'end' }] })];
    const told = await hints({}, turns, { more });
    expect(told.at(-1)).to.match(/^Be brief\. 1 of 1 items on the list is not done\..* It failed\.$/s);
  });

  it('rejects invalid options', () => {
    for (const [options, issue] of [
      [{ begin: ' ' }, /begin/],
      [{ every: 1 }, /every/],
      [{ agents: [] }, /agents/],
      [
        { begin: false, progress: false, afterErrors: false },
        /requires at least one of begin, progress and afterErrors/,
      ],
    ] as const)
      expect(() => planHint(options as never))
        .to.throw(issue)
        .with.property('code', 'OPTIONS_INVALID');
  });

  it('keeps the hook contract', () => hookContract(planHint()));
});
