import { buildResumeArray, HttpAgent, type Message } from '@ag-ui/client';
import { expect } from 'chai';
import { NEVER, of, Subject } from 'rxjs';
import { z } from 'zod';
import { agUiHandler } from '../../../lib/adapters/ag-ui/index.ts';
import {
  type AgentOptions,
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  modify,
  verdict,
} from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { call, family } from '../../agent/family.ts';
import { takeConsole } from '../strict-console.ts';
import { asks, runOf, type Served, serve } from './served.ts';

const asksFirst = defineHook({
  name: 'asks-first',
  approve: ({ toolCall }) => (toolCall.name === 'pay' ? verdict.suspend('May I pay?') : verdict.allow()),
});
const pay = { text: 'One moment.', toolCalls: [{ id: 'c1', name: 'pay', input: { eur: 5 } }] };
const yes = { c1: { approved: true } };

describe('threads of HttpAgent', () => {
  const open: Served[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  async function served(agent: Omit<AgentOptions, 'name'>): Promise<string> {
    const pipeline = createPipeline([asksFirst], { log: silentLogger });
    const made = createAgent({ name: 'helper', pipeline, ...agent });
    const one = await serve(agUiHandler({ agent: made, identify: () => ({ userId: 'alice' }), log: silentLogger }));
    open.push(one);
    return one.url;
  }
  const copyOf = (client: HttpAgent, url: string): HttpAgent => {
    const copy = new HttpAgent({ url, threadId: client.threadId, initialMessages: structuredClone(client.messages) });
    copy.pendingInterrupts = structuredClone(client.pendingInterrupts);
    return copy;
  };
  const shown = (messages: readonly Message[]) => messages.map(({ role, content }) => [role, content ?? '']);
  const approve = (client: HttpAgent) =>
    runOf(client, {
      resume: buildResumeArray(client.pendingInterrupts, {
        [client.pendingInterrupts[0]?.id ?? '']: { status: 'resolved', payload: yes.c1 },
      } as never),
    });

  it('shows the result of an approval whose response was lost, then continues', async () => {
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const url = await served({ model: scriptedModel([pay, 'Done.', 'Bye.']), tools: [tool] });
    const client = asks(url, 'Pay.');
    await runOf(client);
    const lost = copyOf(client, url);
    await approve(lost);
    const { last, types } = await approve(client);
    expect(types).to.deep.equal(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
    expect(last).to.deep.include({ outcome: { type: 'success' } });
    expect(shown(client.messages)).to.deep.equal(shown(lost.messages));
    client.addMessage({ id: 'u2', role: 'user', content: 'Thanks.' });
    await runOf(client);
    expect(client.messages.at(-1)?.content).to.equal('Bye.');
    expect(tool.calls).to.have.length(1);
  });

  it('receives one interrupt for several hooks that ask about a call', async () => {
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const asksToo = defineHook({ name: 'asks-too', approve: () => verdict.suspend('Really?') });
    const pipeline = createPipeline([asksFirst, asksToo], { log: silentLogger });
    const url = await served({ model: scriptedModel([pay, 'Done.']), tools: [tool], pipeline });
    const client = asks(url, 'Pay.');
    await runOf(client);
    expect(client.pendingInterrupts).to.have.length(1);
    const [{ message, metadata } = {}] = client.pendingInterrupts;
    expect(message).to.equal('May I pay?\nReally?\npay {"eur":5}');
    expect((metadata as { hooks?: object } | undefined)?.hooks).to.deep.include({
      asks: [
        { by: 'asks-first', prompt: 'May I pay?' },
        { by: 'asks-too', prompt: 'Really?' },
      ],
    });
    await approve(client);
    expect(client.pendingInterrupts).to.deep.equal([]);
    expect(client.messages.at(-1)?.content).to.equal('Done.');
    expect(tool.calls).to.have.length(1);
  });

  it('names the first answer if another client has answered differently, then continues', async () => {
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const url = await served({ model: scriptedModel([pay, 'Done.', 'Bye.']), tools: [tool] });
    const client = asks(url, 'Pay.');
    await runOf(client);
    const other = copyOf(client, url);
    await approve(client);
    const no = other.pendingInterrupts.map(({ id }) => ({
      ...{ interruptId: id, status: 'resolved' as const },
      payload: { approved: false },
    }));
    const { last } = await runOf(other, { resume: no });
    expect(last).to.include({ type: 'RUN_ERROR', code: 'ANSWERED' });
    expect(last['message']).to.match(/^The call was already answered: approve by "alice" at /);
    other.addMessage({ id: 'u2', role: 'user', content: 'Thanks.' });
    await runOf(other);
    expect(other.messages.at(-1)?.content).to.equal('Bye.');
    expect(tool.calls).to.have.length(1);
  });

  it('can correct an edit that does not match the schema of the tool', async () => {
    const ran: unknown[] = [];
    const tool = defineTool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.strictObject({ eur: z.number() }),
      execute: (input) => `paid ${ran.push(input)}`,
    });
    const client = asks(await served({ model: scriptedModel([pay, 'Done.']), tools: [tool] }), 'Pay.');
    await runOf(client);
    const edit = (eur: unknown) =>
      runOf(client, {
        resume: client.pendingInterrupts.map(({ id }) => ({
          ...{ interruptId: id, status: 'resolved' as const },
          payload: { approved: true, editedArgs: { eur } },
        })),
      });
    expect(await edit('much').catch((thrown) => thrown)).to.include({ status: 422 });
    expect(takeConsole().join()).to.include('The edited input is invalid; the call is still pending.');
    await edit(7);
    expect(client.messages.at(-1)?.content).to.equal('Done.');
    expect(ran).to.deep.equal([{ eur: 7 }]);
  });

  it('ends an unknown answer with an error and the calls that are pending now', async () => {
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const url = await served({ model: scriptedModel([pay, 'Done.']), tools: [tool] });
    const client = asks(url, 'Pay.');
    await runOf(client);
    const [interrupt] = client.pendingInterrupts;
    client.pendingInterrupts = [{ ...interrupt!, id: 'of-an-earlier-run' }];
    const { last } = await approve(client);
    expect(last).to.include({ type: 'RUN_ERROR', code: 'ANSWER_UNKNOWN' });
    expect(client.pendingInterrupts.map(({ id }) => id)).to.deep.equal([interrupt?.id]);
    await approve(client);
    expect(client.messages.at(-1)?.content).to.equal('Done.');
    expect(tool.calls).to.have.length(1);
  });

  it('abandons a call with a cancelled answer and a new message, even if it is not pending any more', async () => {
    const url = await served({ model: scriptedModel([pay, 'No.', 'Hello.']), tools: [scriptedTool({ name: 'pay' })] });
    const client = asks(url, 'Pay.');
    await runOf(client);
    const late = copyOf(client, url);
    for (const [one, text] of [
      [client, 'No.'],
      [late, 'Hello.'],
    ] as const) {
      one.addMessage({ id: `u-${text}`, role: 'user', content: `Something else: ${text}` });
      const resume = one.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'cancelled' as const }));
      await runOf(one, { resume });
      expect(one.messages.at(-1)?.content).to.equal(text);
      expect(one.pendingInterrupts).to.deep.equal([]);
    }
  });

  it('connects to a thread with a pending call, and answers it', async () => {
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const url = await served({ model: scriptedModel([pay, 'Done.']), tools: [tool] });
    const first = asks(url, 'Pay.');
    await runOf(first);
    const client = new HttpAgent({ url, threadId: 'thread-1' });
    const { types } = await runOf(client);
    expect(types).to.deep.equal(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
    expect(shown(client.messages)).to.deep.equal(shown(first.messages));
    expect(client.pendingInterrupts.map(({ id, toolCallId }) => [id, toolCallId])).to.deep.equal(
      first.pendingInterrupts.map(({ id, toolCallId }) => [id, toolCallId]),
    );
    await approve(client);
    expect(shown(client.messages).slice(-2)).to.deep.equal([
      ['tool', 'paid'],
      ['assistant', 'Done.'],
    ]);
    expect(tool.calls).to.have.length(1);
  });

  it('connects to a thread after its run and during its run', async () => {
    const model = scriptedModel(['Hello.', { chunks: ['one ', 'two ', 'three'] }], { delayMs: 30 });
    const url = await served({ model });
    const first = asks(url, 'Hi.');
    await runOf(first);
    const idle = new HttpAgent({ url, threadId: 'thread-1' });
    await runOf(idle);
    expect(shown(idle.messages)).to.deep.equal(shown(first.messages));
    first.addMessage({ id: 'u2', role: 'user', content: 'Count.' });
    const running = runOf(first);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const late = new HttpAgent({ url, threadId: 'thread-1' });
    await runOf(late);
    await running;
    expect(shown(late.messages)).to.deep.equal(shown(first.messages));
    const fresh = new HttpAgent({ url, threadId: 'thread-2' });
    await runOf(fresh);
    expect(fresh.messages).to.deep.equal([]);
  });

  it('continues a thread in which the client keeps a rejected http image', async () => {
    const url = await served({ model: scriptedModel(['Hello.']) });
    const source = { type: 'url' as const, value: 'http://127.0.0.1/a.png' };
    const rejected: Message = { id: 'u1', role: 'user', content: [{ type: 'image', source }] };
    const client = new HttpAgent({ url, threadId: 'thread-1', initialMessages: [rejected] });
    client.addMessage({ id: 'u2', role: 'user', content: 'Hello again.' });
    await runOf(client);
    expect(client.messages.at(-1)?.content).to.equal('Hello.');
  });

  it('connects to a thread whose run has been resumed, with a call id of an earlier turn', async () => {
    const second = new Subject<string>();
    const outputs = [of('paid'), second];
    const tool = { ...scriptedTool({ name: 'pay' }), execute: () => outputs.shift() };
    let asked = 0;
    const asksLater = defineHook({
      name: 'asks-later',
      approve: () => (++asked === 2 ? verdict.suspend('Again?') : verdict.allow()),
    });
    const pipeline = createPipeline([asksLater], { log: silentLogger });
    const url = await served({ model: scriptedModel([pay, 'One.', pay, 'Two.']), tools: [tool as never], pipeline });
    const first = asks(url, 'Pay.');
    await runOf(first);
    first.addMessage({ id: 'u2', role: 'user', content: 'Pay again.' });
    await runOf(first);
    const running = approve(first);
    while (!second.observed) await new Promise((resolve) => setTimeout(resolve, 5));
    const late = new HttpAgent({ url, threadId: 'thread-1' });
    const connected = runOf(late);
    await new Promise((resolve) => setTimeout(resolve, 60));
    second.next('paid again');
    second.complete();
    await Promise.all([running, connected]);
    const linked = late.messages.flatMap((message) => {
      if (message.role === 'assistant') return (message.toolCalls ?? []).map(({ id }) => id);
      return message.role === 'tool' ? [message.toolCallId, message.content] : [];
    });
    const [one, , , two] = linked;
    expect(linked).to.deep.equal([one, one, 'paid', two, two, 'paid again']);
    expect(one).not.to.equal(two);
  });

  it('connects to a thread whose sub-agent waits, with one result of a settled call', async () => {
    const asksRm = defineHook({
      name: 'asks-rm',
      approve: ({ toolCall }) => (toolCall.name === 'rm' ? verdict.suspend('May I?') : verdict.allow()),
    });
    const both = { toolCalls: [call('pay'), call('helper', { prompt: 'help' })] };
    const tools = [scriptedTool({ name: 'pay', result: 'paid' })];
    const { agent } = family({ hooks: [asksRm], turns: [both, 'ok'], tools });
    const one = await serve(agUiHandler({ agent, identify: () => ({ userId: 'alice' }), log: silentLogger }));
    open.push(one);
    await runOf(asks(one.url, 'Hi.'));
    const client = new HttpAgent({ url: one.url, threadId: 'thread-1' });
    await runOf(client);
    expect(client.messages.filter(({ role }) => role === 'tool')).to.have.length(1);
  });

  it('connects to a thread with the files of its prompts', async () => {
    const url = await served({ model: scriptedModel(['A dog.']) });
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image' as const, source: { type: 'data' as const, value: 'AAAA', mimeType: 'image/png' } },
      { type: 'document' as const, source: { type: 'url' as const, value: 'https://example.com/a' } },
    ];
    const first = new HttpAgent({ url, threadId: 'thread-1', initialMessages: [{ id: 'u1', role: 'user', content }] });
    await runOf(first);
    const client = new HttpAgent({ url, threadId: 'thread-1' });
    await runOf(client);
    expect(client.messages.map((message) => message.content)).to.deep.equal([content, 'A dog.']);
  });

  it('stops a run: the next tool does not run, and the next message does not wait', async () => {
    const slow = { ...scriptedTool({ name: 'slow' }), execute: () => NEVER };
    const later = scriptedTool({ name: 'later' });
    const calls = ['slow', 'later'].map((name) => ({ id: name, name, input: {} }));
    const url = await served({ model: scriptedModel([{ toolCalls: calls }, 'Hello again.']), tools: [slow, later] });
    const client = asks(url, 'Go.');
    const running = runOf(client);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await fetch(`${url}thread-1/stop`, { method: 'POST' })).status).to.equal(204);
    expect((await running).last).to.deep.include({ outcome: { type: 'cancelled' } });
    client.addMessage({ id: 'u2', role: 'user', content: 'Hi.' });
    await runOf(client);
    expect(client.messages.at(-1)?.content).to.equal('Hello again.');
    expect(later.calls).to.deep.equal([]);
  });

  const shownInputs = (client: HttpAgent) =>
    client.messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => JSON.parse(call.function.arguments)) : [],
    );

  it('shows the input that a hook has changed', async () => {
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const rewrites = defineHook({
      name: 'rewrites',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { eur: 4 } } }) },
    });
    const pipeline = createPipeline([rewrites], { log: silentLogger });
    const client = asks(await served({ model: scriptedModel([pay, 'Done.']), tools: [tool], pipeline }), 'Pay.');
    await runOf(client);
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ eur: 4 }]);
    expect(shownInputs(client)).to.deep.equal([{ eur: 4 }]);
    expect(shown(client.messages)).to.deep.equal([
      ['user', 'Pay.'],
      ['assistant', 'One moment.'],
      ['tool', 'paid'],
      ['assistant', 'Done.'],
    ]);
  });

  it('shows the input that an answer has changed', async () => {
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const client = asks(await served({ model: scriptedModel([pay, 'Done.']), tools: [tool] }), 'Pay.');
    await runOf(client);
    const [interrupt] = client.pendingInterrupts;
    const payload = { approved: true, editedArgs: { eur: 3 } };
    await runOf(client, { resume: [{ interruptId: interrupt!.id, status: 'resolved', payload }] });
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ eur: 3 }]);
    expect(shownInputs(client)).to.deep.equal([{ eur: 3 }]);
  });
});
