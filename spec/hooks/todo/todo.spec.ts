import { expect } from 'chai';
import { lastValueFrom } from 'rxjs';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { retry } from '../../../lib/events/decisions/retry.ts';
import { textOf } from '../../../lib/events/parts/messages.ts';
import { type TodoOptions, todo } from '../../../lib/hooks/todo/todo.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { verdict } from '../../../lib/pipeline/define/hook.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { scriptedTool } from '../../../lib/testing/scripts/scripted-tool.ts';

type Status = 'open' | 'doing' | 'done';
const look = scriptedTool({ name: 'look', permission: 'read', result: 'seen' });
const write = (...items: [string, Status][]) => ({
  toolCalls: [{ name: 'write_todos', input: { items: items.map(([text, status]) => ({ text, status })) } }],
});
const looking = { toolCalls: [{ name: 'look', input: {} }] };

function scene(
  turns: Parameters<typeof scriptedModel>[0],
  options: TodoOptions = {},
  more: Parameters<typeof createPipeline>[0] = [],
) {
  const model = scriptedModel(turns);
  const pipeline = createPipeline([todo(options), ...more]);
  const agent = createAgent({ name: 'a', model, tools: [look], pipeline, maxIterations: 20 });
  /** The reminders, by model request. */
  const reminders = () =>
    model.requests.map(({ messages }) =>
      messages
        .filter(({ origin }) => origin === 'todo')
        .map(textOf)
        .join('|'),
    );
  return { agent, model, reminders };
}

const reminder = '1 of 2 items on the list is not done.\n- [x] one\n- [ ] two\nUpdate the list with write_todos.';

describe('todo', () => {
  it('offers a tool for the list and returns the number of open items', async () => {
    const { agent, model } = scene([write(['one', 'doing'], ['two', 'open']), 'ok']);
    await agent.call('go');
    expect(model.requests[0]?.tools.map(({ name }) => name)).to.include('write_todos');
    const [result] = model.requests[1]?.messages.at(-1)?.parts ?? [];
    expect(result?.type === 'toolResult' && result.result.content).to.equal(
      'Kept. 2 of 2 items on the list are not done.',
    );
  });

  it('reminds the model after a number of requests without a change, but not in the transcript', async () => {
    const turns = [write(['one', 'done'], ['two', 'open']), looking, looking, looking, looking, 'ok'];
    const { agent, reminders } = scene(turns, { remindAfter: 2 });
    await agent.call('go');
    expect(reminders()).to.deep.equal(['', '', '', reminder, '', '']);
  });

  it('repeats the reminder with a request retried after an error, and counts that once', async () => {
    const recover = defineHook({
      name: 'recover',
      on: { error: (event) => (event.phase === 'reasoning' ? retry(event) : undefined) },
    });
    const fail = { error: 'down' };
    const turns = [write(['one', 'done'], ['two', 'open']), fail, looking, fail, looking, looking, fail, 'ok'];
    const { agent, reminders } = scene(turns, { remindAfter: 1 }, [recover]);
    await agent.call('go');
    expect(reminders()).to.deep.equal(['', '', '', reminder, reminder, '', reminder, reminder]);
  });

  it('sends no reminder for a finished or missing list', async () => {
    const { agent, reminders } = scene([looking, write(['one', 'done']), looking, looking, 'ok'], { remindAfter: 1 });
    await agent.call('go');
    expect(reminders().join('')).to.equal('');
  });

  it('rejects an answer while items are open, up to the configured number', async () => {
    const turns = [write(['one', 'done'], ['two', 'open']), 'early', 'still early', 'never'];
    const { agent, model } = scene(turns, { finishFirst: 1 });
    const { outcome, message } = await agent.call('go');
    expect([outcome, textOf(message)]).to.deep.equal(['completed', 'still early']);
    expect(textOf(model.requests[2]?.messages.at(-1))).to.equal(
      'The list has open items:\n- [ ] two\nContinue, or remove items that are no longer needed with write_todos.',
    );
    const other = scene(turns);
    expect(textOf((await other.agent.call('go')).message)).to.equal('early');
  });

  it('keeps the list written last, among concurrent calls and runs of a session', async () => {
    const twice = {
      toolCalls: [...write(['one', 'open']).toolCalls, ...write(['one', 'done'], ['two', 'open']).toolCalls],
    };
    const { agent, reminders } = scene([twice, 'ok', looking, 'ok'], { remindAfter: 1 });
    await agent.call('go', { sessionId: 's' });
    await agent.call('and?', { sessionId: 's' });
    expect(reminders()).to.deep.equal(['', '', '', reminder]);
  });

  it('rejects an invalid list', async () => {
    const wrong = { toolCalls: [{ name: 'write_todos', input: { items: [{ text: '', status: 'open' }] } }] };
    const { agent, model, reminders } = scene([wrong, 'ok', 'ok'], { remindAfter: 1 });
    await agent.call('go', { sessionId: 's' });
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).to.include('items');
    await agent.call('go', { sessionId: 's' });
    expect(reminders().join('')).to.equal('');
  });

  it('ignores the list in a denied call', async () => {
    const deny = defineHook({
      name: 'deny',
      approve: ({ toolCall }) => (toolCall.id === 'call_2' ? verdict.deny('no') : verdict.allow()),
    });
    const turns = [write(['one', 'done'], ['two', 'open']), write(['one', 'done']), 'ok', looking, 'ok'];
    const { agent, reminders } = scene(turns, { remindAfter: 1 }, [deny]);
    await agent.call('go', { sessionId: 's' });
    await agent.call('and?', { sessionId: 's' });
    expect(reminders().at(-1)).to.equal(reminder);
  });

  it('keeps the list when a suspended run is resumed', async () => {
    const ask = defineHook({ name: 'ask', match: { tools: ['look'] }, approve: () => verdict.suspend('May it?') });
    const first = scene([write(['one', 'done'], ['two', 'open']), looking], { remindAfter: 1 }, [ask]);
    const { snapshot } = await first.agent.call('go', { sessionId: 's' });
    const parsed = JSON.parse(JSON.stringify(snapshot));
    expect(parsed.state['todo.list'].items).to.have.lengthOf(2);
    await lastValueFrom(first.agent.resume(parsed, { [parsed.pending[0].key]: { approved: false } }));
    expect(first.reminders().at(-1)).to.equal(reminder);
  });

  it('keeps a separate list for a sub-agent', async () => {
    const childModel = scriptedModel([looking, 'ok']);
    const child = createAgent({ name: 'child', model: childModel, tools: [look] });
    const model = scriptedModel([
      write(['one', 'done'], ['two', 'open']),
      { toolCalls: [{ name: 'child', input: { prompt: 'help' } }] },
      'ok',
    ]);
    const pipeline = createPipeline([todo({ remindAfter: 1 })]);
    await createAgent({ name: 'a', model, tools: [agentTool(child, { description: 'helps' })], pipeline }).call('go');
    expect(JSON.stringify(childModel.requests)).to.not.include('items on the list');
    expect(JSON.stringify(model.requests.at(-1))).to.include('1 of 2 items on the list');
  });

  it('rejects invalid options', () => {
    for (const [options, issue] of [
      [{ remindAfter: 0 }, /remindAfter/],
      [{ toolName: 'a b' }, /toolName: must be a name with only letters/],
      [{ finishFirst: 9 }, /finishFirst/],
    ] as const)
      expect(() => todo(options as never))
        .to.throw(issue)
        .with.property('code', 'OPTIONS_INVALID');
  });

  it('keeps the hook contract', () => hookContract(todo({ finishFirst: 1 })));
});
