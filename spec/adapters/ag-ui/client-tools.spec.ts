import { expect } from 'chai';
import { type AgUiEvent, type AgUiMessage, agUiHandler } from '../../../lib/adapters/ag-ui/index.ts';
import {
  type AgentOptions,
  agentTool,
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  modify,
  verdict,
} from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';

const tools = [{ name: 'paint', description: 'Paints.', parameters: { type: 'object' } }];
const paints = (id: string, colour = 'red') => ({ id, name: 'paint', input: { colour } });
const pays = { id: 'p1', name: 'pay', input: {} };
const asks = defineHook({
  name: 'asks',
  approve: ({ toolCall }) => (toolCall.name === 'pay' ? verdict.suspend('May I?') : verdict.allow()),
});
const user = (content: string) => ({ id: `said ${content}`, role: 'user', content });

/** Posts to a handler like a client that brings a tool. */
function aClient(agent: Pick<AgentOptions, 'model' | 'tools'>, hooks: readonly Hook[] = []) {
  const pipeline = createPipeline(hooks, { log: silentLogger });
  const made = createAgent({ name: 'a', pipeline, ...agent });
  const handler = agUiHandler({ agent: made, identify: () => ({ userId: 'alice' }), log: silentLogger });
  return async (messages: readonly object[], more: object = {}): Promise<AgUiEvent[]> => {
    const body = JSON.stringify({ threadId: 't1', runId: 'r1', messages, tools, ...more });
    const headers = { 'content-type': 'application/json' };
    const response = await handler(new Request('http://x/', { method: 'POST', headers, body }));
    return [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json as string));
  };
}

/** The calls that were sent, with their input. */
const sent = (events: readonly AgUiEvent[]) =>
  events.flatMap((event) => (event.type === 'TOOL_CALL_ARGS' ? [[event.toolCallId, JSON.parse(event.delta)]] : []));
const snapshotOf = (events: readonly AgUiEvent[]): readonly AgUiMessage[] =>
  events.flatMap((event) => (event.type === 'MESSAGES_SNAPSHOT' ? [event.messages] : [])).at(-1) ?? [];
const outcomeOf = (events: readonly AgUiEvent[]) => {
  const last = events.at(-1);
  return last?.type === 'RUN_FINISHED' ? last.outcome : undefined;
};
const yes = (events: readonly AgUiEvent[]) => {
  const outcome = outcomeOf(events);
  const interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : [];
  return interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved: true } }));
};

describe('a client-side tool call on AG-UI', () => {
  it('is sent as judged when it waits for the client', async () => {
    const blue = defineHook({
      name: 'blue',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { colour: 'blue' } } }) },
    });
    const events = await aClient({ model: scriptedModel([{ toolCalls: [paints('c1')] }]) }, [blue])([user('go')]);
    expect(sent(events)).to.deep.equal([['c1', { colour: 'blue' }]]);
    const types = events.map(({ type }) => type);
    expect(types.indexOf('TOOL_CALL_START')).to.be.greaterThan(
      events.findIndex((event) => event.type === 'STEP_STARTED' && event.stepName === 'acting:c1'),
    );
    expect(JSON.stringify(events)).not.to.include('red');
    expect(outcomeOf(events)).to.deep.equal({ type: 'success', pendingToolCallIds: ['c1'] });
  });

  it('stays hidden until all concurrent calls are approved', async () => {
    const model = scriptedModel([{ toolCalls: [paints('c1'), pays] }, 'Done.']);
    const post = aClient({ model, tools: [scriptedTool({ name: 'pay', result: 'paid' })] }, [asks]);
    const first = await post([user('go')]);
    expect(sent(first)).to.deep.equal([['p1', {}]]);
    expect(JSON.stringify(snapshotOf(first))).not.to.include('paint');
    const second = await post(snapshotOf(first), { resume: yes(first) });
    expect(sent(second)).to.deep.equal([['c1', { colour: 'red' }]]);
    const painted = { id: 'x', role: 'tool', toolCallId: 'c1', content: 'painted' };
    const third = await post([...snapshotOf(second), painted]);
    expect(sent(third)).to.deep.equal([]);
    expect(outcomeOf(third)).to.deep.equal({ type: 'success' });
  });

  it('arrives with its result if it is denied, so that the client runs nothing', async () => {
    const never = defineHook({ name: 'never', approve: () => verdict.deny('no paint') });
    const model = scriptedModel([{ toolCalls: [paints('c1')] }, 'Then not.']);
    const events = await aClient({ model }, [never])([user('go')]);
    expect(sent(events)).to.deep.equal([]);
    const shown = snapshotOf(events);
    expect(shown.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))).to.deep.equal(['c1']);
    expect(shown.at(-1)).to.include({ role: 'tool', toolCallId: 'c1' });
    expect(shown.at(-1)?.content).to.include('no paint');
  });

  it('gets a new id if an earlier call had the same, and ignores its result', async () => {
    const model = scriptedModel([
      { toolCalls: [paints('c1')] },
      'Red.',
      { toolCalls: [paints('c1', 'blue')] },
      'Blue.',
    ]);
    const post = aClient({ model });
    const painted = (toolCallId: string, content: string) => ({
      id: `of ${toolCallId}`,
      role: 'tool',
      toolCallId,
      content,
    });
    const first = await post([user('go')]);
    const before = [...snapshotOf(first), painted('c1', 'painted red')];
    await post(before);
    const then = [...before, user('and blue')];
    const second = await post(then);
    const [[name]] = sent(second) as [[string, object]];
    expect(name).to.match(/.\/c1$/);
    // The stream was lost, so the call is not shown and its result is not posted.
    expect(sent(await post([...then.slice(0, -1)]))).to.deep.equal([]);
    const third = await post([...snapshotOf(second), painted(name, 'painted blue')]);
    expect(outcomeOf(third)).to.deep.equal({ type: 'success' });
    const results = model.requests
      .at(-1)
      ?.messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === 'toolResult' ? [part.result.content] : [])),
      );
    expect(results).to.deep.equal(['painted red', 'painted blue']);
  });

  it("of one sub-agent is distinct from another one's with the same id", async () => {
    const model = (colour: string) => scriptedModel([{ toolCalls: [paints('c1', colour)] }, 'done']);
    const models = { green: model('green'), grey: model('grey') };
    const children = Object.entries(models).map(([name, model]) =>
      agentTool(createAgent({ name, model }), { description: name }),
    );
    const both = ['green', 'grey'].map((name) => ({ id: `of ${name}`, name, input: { prompt: 'go' } }));
    const post = aClient({
      model: scriptedModel([{ toolCalls: both }, 'Done.']),
      tools: children as NonNullable<AgentOptions['tools']>,
    });
    const first = await post([user('go')]);
    const names = new Map(sent(first).map(([name, { colour }]) => [colour, name]));
    expect(new Set(sent(first).map(([name]) => name)).size).to.equal(4);
    const results = ['green', 'grey'].map((colour) => {
      return { id: colour, role: 'tool', toolCallId: names.get(colour), content: `${colour} painted` };
    });
    const second = await post([...snapshotOf(first), ...results]);
    expect(outcomeOf(second)).to.deep.equal({ type: 'success' });
    for (const [colour, { requests }] of Object.entries(models))
      expect(JSON.stringify(requests.at(-1)?.messages)).to.include(`${colour} painted`);
  });
});
