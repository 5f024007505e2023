import { buildResumeArray } from '@ag-ui/client';
import { expect } from 'chai';
import { type AgUiHandlerOptions, agUiHandler } from '../../../lib/adapters/ag-ui/index.ts';
import {
  type AgentOptions,
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  memoryTranscript,
  modify,
  verdict,
} from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { takeConsole } from '../strict-console.ts';
import { asks, runOf, type Served, serve } from './served.ts';

const suspends = defineHook({
  name: 'ask-first',
  approve: ({ toolCall }) => (toolCall.name === 'pay' ? verdict.suspend('May I pay?') : verdict.allow()),
});
const pay = { toolCalls: [{ id: 'c1', name: 'pay', input: { eur: 5 } }] };

describe('HttpAgent', () => {
  const open: Served[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  async function served(
    agent: Omit<AgentOptions, 'name'> & { readonly hooks?: readonly Hook[] },
    options: Partial<AgUiHandlerOptions> = {},
  ): Promise<string> {
    const { hooks = [], ...rest } = agent;
    const made = createAgent({ name: 'helper', pipeline: createPipeline(hooks, { log: silentLogger }), ...rest });
    const identify = (request: Request) => ({ userId: request.headers.get('x-user') ?? 'alice' });
    const one = await serve(agUiHandler({ agent: made, identify, log: silentLogger, ...options }));
    open.push(one);
    return one.url;
  }

  it('shows a run: thinking, text, parallel calls, their progress and results', async () => {
    const calls = ['c1', 'c2'].map((id) => ({ id, name: 'look', input: { at: id } }));
    const model = scriptedModel([{ thinking: 'hm', chunks: ['Let me ', 'look.'], toolCalls: calls }, 'All is well.']);
    const tool = scriptedTool({
      name: 'look',
      permission: 'read',
      chunks: ['loo', 'king'],
      result: 'seen',
      delayMs: 1,
    });
    const client = asks(await served({ model, tools: [tool] }), 'Look.');
    const { last } = await runOf(client);
    expect(last).to.deep.include({ outcome: { type: 'success' }, threadId: 'thread-1' });
    const shown = client.messages.map(({ role, content }) => [role, role === 'activity' ? 'a report' : content]);
    expect(shown).to.deep.equal([
      ['user', 'Look.'],
      ['reasoning', 'hm'],
      ['assistant', 'Let me look.'],
      ['tool', 'seen'],
      ['tool', 'seen'],
      ['activity', 'a report'],
      ['activity', 'a report'],
      ['assistant', 'All is well.'],
    ]);
    const calling = client.messages.find((message) => message.role === 'assistant' && message.toolCalls);
    expect(calling).to.have.property('toolCalls').with.length(2);
  });

  it('is interrupted with the judged call and continues in another process after an approval', async () => {
    const shared = { store: memoryStateStore() };
    const transcript = memoryTranscript();
    const more = defineHook({
      name: 'more',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { eur: 7 } } }) },
    });
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const parts = { tools: [tool], hooks: [more, suspends], transcript };
    const client = asks(await served({ model: scriptedModel([pay]), ...parts }, shared), 'Pay.');
    const { last } = await runOf(client);
    const [interrupt] = client.pendingInterrupts;
    expect(interrupt).to.include({ reason: 'tool_call', toolCallId: 'c1' });
    expect(interrupt?.message).to.include('May I pay?').and.include('{"eur":7}');
    expect(interrupt?.id).to.match(/[0-9a-f]{64}$/);
    expect(interrupt?.responseSchema?.['properties']).to.have.property('editedArgs');
    expect(last['outcome']).to.have.property('type', 'interrupt');
    const other = await served({ model: scriptedModel(['Done.']), ...parts }, shared);
    client.url = other;
    const resume = buildResumeArray(client.pendingInterrupts, {
      [interrupt!.id]: { status: 'resolved', payload: { approved: true } },
    });
    const told = await runOf(client, { resume });
    expect(told.types).not.to.include('TOOL_CALL_START');
    expect(told.last['outcome']).to.deep.equal({ type: 'success' });
    expect(client.messages.at(-1)).to.include({ role: 'assistant', content: 'Done.' });
    expect(client.pendingInterrupts).to.deep.equal([]);
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ eur: 7 }]);
  });

  it('receives a denial, and an error for an answer by another user', async () => {
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const url = await served({ model: scriptedModel([pay, 'Then not.']), tools: [tool], hooks: [suspends] });
    const client = asks(url, 'Pay.');
    await runOf(client);
    const [interrupt] = client.pendingInterrupts;
    const stranger = asks(url, 'x', 'thread-1', { 'x-user': 'bob' });
    const yes = [{ interruptId: interrupt!.id, status: 'resolved' as const, payload: { approved: true } }];
    const { last } = await runOf(stranger, { resume: yes });
    expect(last).to.include({ type: 'RUN_ERROR', code: 'ANSWER_UNKNOWN' });
    const no = [
      { interruptId: interrupt!.id, status: 'resolved' as const, payload: { approved: false, reason: 'too much' } },
    ];
    await runOf(client, { resume: no });
    const result = client.messages.find(({ role }) => role === 'tool');
    expect(result?.content).to.include('too much');
    expect(tool.calls).to.have.length(0);
  });

  it('runs its own tools: first judged, and seen by hooks after they have run', async () => {
    const results: string[] = [];
    const sees = defineHook({
      name: 'sees',
      observe: (event) => void (event.type === 'postActing' && results.push(event.result.content)),
    });
    const model = scriptedModel([{ toolCalls: [{ id: 'c1', name: 'paint', input: { colour: 'red' } }] }, 'It is red.']);
    const client = asks(await served({ model, hooks: [sees] }), 'Paint it.');
    const tools = [{ name: 'paint', description: 'Paints.', parameters: { type: 'object', properties: {} } }];
    const { last } = await runOf(client, { tools });
    expect(last['outcome']).to.deep.equal({ type: 'success', pendingToolCallIds: ['c1'] });
    expect(model.requests[0]?.tools.map(({ name }) => name)).to.deep.equal(['paint']);
    client.addMessage({ id: 'r1', role: 'tool', toolCallId: 'c1', content: 'painted' });
    await runOf(client, { tools });
    expect(results).to.deep.equal(['painted']);
    expect(client.messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant']);
    expect(client.messages.at(-1)?.content).to.equal('It is red.');
  });

  it('cannot bring a tool with the name of an agent’s tool', async () => {
    const tools = [{ name: 'pay', description: 'Mine.', parameters: {} }];
    const url = await served({ model: scriptedModel([]), tools: [scriptedTool({ name: 'pay', result: 'paid' })] });
    const issue = await runOf(asks(url, 'Pay.'), { tools }).catch((thrown) => thrown);
    expect(issue).to.include({ status: 400 });
    expect(takeConsole().join(), 'what the client says of it').to.include('HOOK_DUPLICATE');
  });

  it('receives only the id of a failed run', async () => {
    const logged: string[] = [];
    const log = { ...silentLogger, error: (fields: object | string) => void logged.push(JSON.stringify(fields)) };
    const model = scriptedModel([{ text: 'Half', error: 'the password is swordfish' }]);
    const { last } = await runOf(asks(await served({ model }, { log }), 'Go.'));
    expect(last).to.have.property('type', 'RUN_ERROR');
    expect(JSON.stringify(last)).not.to.include('swordfish');
    const id = /\((.+)\)/.exec(String(last['message']))?.[1];
    expect(logged.join()).to.include(id).and.include('swordfish');
  });

  it('may leave a run that continues, unless the host cancels it', async () => {
    for (const onDisconnect of ['continue', 'cancel'] as const) {
      const ended: string[] = [];
      const ends = defineHook({
        name: 'ends',
        observe: (event) => void (event.type === 'postCall' && ended.push(event.outcome)),
      });
      const tool = scriptedTool({ name: 'wait', never: true });
      const model = scriptedModel([{ toolCalls: [{ id: 'c1', name: 'wait', input: {} }] }]);
      const client = asks(await served({ model, tools: [tool], hooks: [ends] }, { onDisconnect }), 'Wait.');
      const seen = new Promise<void>((resolve) => {
        void client.runAgent({}, { onToolCallEndEvent: () => resolve() }).catch(() => {});
      });
      await seen;
      client.abortRun();
      const state = () => tool.calls[0]?.state;
      if (onDisconnect === 'cancel') while (state() !== 'cancelled') await new Promise((go) => setTimeout(go, 1));
      else await new Promise((go) => setTimeout(go, 50));
      expect(state()).to.equal(onDisconnect === 'cancel' ? 'cancelled' : 'running');
      expect(ended).to.deep.equal(onDisconnect === 'cancel' ? ['cancelled'] : []);
    }
  });

  it('sees the start of the run before slow hooks have handled preCall', async () => {
    let release = (): void => {};
    const pending = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = defineHook({
      name: 'slow',
      on: {
        async preCall(event) {
          await pending;
          return event;
        },
      },
    });
    const client = asks(await served({ model: scriptedModel(['Hello.']), hooks: [slow] }), 'Go.');
    await client.runAgent({}, { onRunStartedEvent: () => release() });
    expect(client.messages.at(-1)?.content).to.equal('Hello.');
  });
});
