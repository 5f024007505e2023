import { expect } from 'chai';
import { map, NEVER, Subject } from 'rxjs';
import {
  type AgentOptions,
  abort,
  createAgent,
  createPipeline,
  defineHook,
  memoryTranscript,
  modify,
  textOf,
  userMessage,
  verdict,
} from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { call, family } from '../../agent/family.ts';
import { createHeadlessChat, lastParts, lastTexts, toolPart, until } from './chat.ts';
import { clients } from './clients.ts';
import { createHost, type HandlerParts, type Host } from './host.ts';

const looks = { text: 'Let me look.', toolCalls: [{ id: 'c1', name: 'weather', input: { city: 'Oslo' } }] };
const asks = defineHook({ name: 'asks', approve: () => verdict.suspend('may I?') });

function agentOf(options: Partial<AgentOptions> & { readonly asked?: boolean } = {}) {
  const { asked = true, ...own } = options;
  const weather = scriptedTool({ name: 'weather', result: '18 °C' });
  const pipeline = createPipeline(asked ? [asks] : [], { log: silentLogger });
  const model = scriptedModel([looks, 'It is cold.', 'Take a coat.']);
  const agent = createAgent({
    name: 'guide',
    model,
    tools: [weather],
    pipeline,
    transcript: memoryTranscript(),
    ...own,
  });
  return { agent, weather };
}

describe('threads of useChat without a page, over HTTP', () => {
  let host: Host;
  const serveAgent = async (parts: HandlerParts): Promise<string> => {
    host = await createHost(parts);
    return host.api;
  };
  afterEach(() => host.close());
  const user = { headers: { 'x-user': 'ann' } };
  const load = async (api: string) => (await fetch(`${api}/thread`, user)).json();

  for (const client of clients) {
    const { version, sdk } = client;
    const automatic =
      version === 5 ? {} : { sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithApprovalResponses };

    describe(client.name, () => {
      if (version > 5) {
        it('shows the result of an approval whose response was lost, and runs the tool once', async () => {
          const { agent, weather } = agentOf();
          const api = await serveAgent({ agent, version });
          const lost = createHeadlessChat(client, api);
          await lost.sendMessage({ text: 'hi' });
          const { approval } = toolPart(lost, 'weather') as unknown as { approval: { id: string } };
          await lost.addToolApprovalResponse({ id: approval.id, approved: true });
          const before = structuredClone(lost.messages) as never[];
          await lost.sendMessage();
          const again = createHeadlessChat(client, api, { messages: before });
          await again.sendMessage();
          expect(again.error).to.equal(undefined);
          expect(toolPart(again, 'weather')).to.include({ state: 'output-available', output: '18 °C' });
          expect(lastTexts(again)).to.deep.equal(['Let me look.', 'It is cold.']);
          expect(again.messages).to.have.length(2);
          await again.sendMessage({ text: 'And now?' });
          expect(lastTexts(again)).to.deep.equal(['Take a coat.']);
          expect(weather.calls).to.have.length(1);
        });

        it('shows the same after a lost response: later steps, repeated ids of calls, calls of a sub-agent', async () => {
          const asksRm = defineHook({
            name: 'asks-rm',
            approve: ({ toolCall }) => (toolCall.name === 'rm' ? verdict.suspend('may I?') : verdict.allow()),
          });
          const withId = (id: string, one: ReturnType<typeof call>) => ({ id, ...one });
          const turns = [
            { toolCalls: [withId('c1', call('weather')), withId('c2', call('helper', { prompt: 'help' }))] },
            { text: 'Once more.', toolCalls: [withId('c1', call('weather'))] },
            'ok',
          ];
          const { agent } = family({
            hooks: [asksRm],
            turns,
            child: [{ toolCalls: [withId('c1', call('rm'))] }, 'helped'],
            tools: [scriptedTool({ name: 'weather', result: '18 °C' })],
          });
          const api = await serveAgent({ agent, version });
          const lost = createHeadlessChat(client, api);
          await lost.sendMessage({ text: 'hi' });
          const { approval } = toolPart(lost, 'rm') as unknown as { approval: { id: string } };
          await lost.addToolApprovalResponse({ id: approval.id, approved: true });
          const again = createHeadlessChat(client, api, { messages: structuredClone(lost.messages) as never[] });
          await lost.sendMessage();
          await again.sendMessage();
          expect(lastTexts(again)).to.deep.equal(['Once more.', 'ok']);
          const outputs = lastParts(again).flatMap(({ toolCallId, output }) => (toolCallId ? [output] : []));
          expect(outputs).to.deep.equal(['18 °C', 'helped', 'The result went to the sub-agent.', '18 °C']);
        });

        it('shows a second approval of the same call after a lost response', async () => {
          let judged = 0;
          const later = () => (++judged > 1 ? verdict.suspend('really?') : verdict.allow());
          const second = defineHook({ name: 'second', approve: later });
          const { agent, weather } = agentOf({ pipeline: createPipeline([asks, second], { log: silentLogger }) });
          const api = await serveAgent({ agent, version });
          const lost = createHeadlessChat(client, api);
          await lost.sendMessage({ text: 'hi' });
          const approve = async (chat: typeof lost) => {
            const { approval } = toolPart(chat, 'weather') as unknown as { approval: { id: string } };
            await chat.addToolApprovalResponse({ id: approval.id, approved: true });
          };
          await approve(lost);
          const again = createHeadlessChat(client, api, { messages: structuredClone(lost.messages) as never[] });
          await lost.sendMessage();
          await again.sendMessage();
          expect(toolPart(again, 'weather')?.state).to.equal('approval-requested');
          await approve(again);
          await again.sendMessage();
          expect(lastTexts(again)).to.deep.equal(['Let me look.', 'It is cold.']);
          expect(weather.calls).to.have.length(1);
        });

        it('shows one approval for several hooks, with their prompts, and one answer runs the call', async () => {
          const second = defineHook({ name: 'second', approve: () => verdict.suspend('really?') });
          const { agent, weather } = agentOf({ pipeline: createPipeline([asks, second], { log: silentLogger }) });
          const api = await serveAgent({ agent, version });
          const chat = createHeadlessChat(client, api);
          await chat.sendMessage({ text: 'hi' });
          const { approval } = toolPart(chat, 'weather') as unknown as { approval: { id: string } };
          const [told] = lastParts(chat).flatMap(({ type, data }) => (type === 'data-approval' ? [data] : []));
          expect(told).to.deep.include({
            prompt: 'may I?\nreally?',
            asks: [
              { by: 'asks', prompt: 'may I?' },
              { by: 'second', prompt: 'really?' },
            ],
          });
          await chat.addToolApprovalResponse({ id: approval.id, approved: true });
          await chat.sendMessage();
          expect(lastTexts(chat)).to.deep.equal(['Let me look.', 'It is cold.']);
          expect(weather.calls).to.have.length(1);
        });

        it('names the first answer to a second tab that has answered differently', async () => {
          const { agent, weather } = agentOf();
          const api = await serveAgent({ agent, version });
          const first = createHeadlessChat(client, api);
          await first.sendMessage({ text: 'hi' });
          const { approval } = toolPart(first, 'weather') as unknown as { approval: { id: string } };
          const messages = structuredClone(first.messages) as never[];
          const second = createHeadlessChat(client, api, { messages, onError() {} });
          await first.addToolApprovalResponse({ id: approval.id, approved: false });
          await first.sendMessage();
          await second.addToolApprovalResponse({ id: approval.id, approved: true });
          await second.sendMessage();
          expect(second.error?.message).to.match(/^The call was already answered: deny by "ann" at /);
          await second.sendMessage({ text: 'Go on.' });
          expect(lastTexts(second)).to.deep.equal(['Take a coat.']);
          expect(weather.calls).to.have.length(0);
        });

        it('continues a thread whose run cannot be resumed by the current agent', async () => {
          const transcript = memoryTranscript();
          const store = memoryStateStore();
          const api = await serveAgent({ agent: agentOf({ transcript }).agent, store, version });
          const chat = createHeadlessChat(client, api, { onError() {} });
          await chat.sendMessage({ text: 'hi' });
          const renamed = agentOf({ name: 'renamed', transcript, model: scriptedModel(['Hello.']) });
          host.use({ agent: renamed.agent, store, version });
          const { approval } = toolPart(chat, 'weather') as unknown as { approval: { id: string } };
          await chat.addToolApprovalResponse({ id: approval.id, approved: true });
          await chat.sendMessage();
          expect(chat.error?.message).to.match(/^The snapshot is of agent "guide"/);
          await chat.sendMessage({ text: 'Hello?' });
          expect(lastTexts(chat)).to.deep.equal(['Hello.']);
        });

        it('loads a thread with its pending call, which can be answered', async () => {
          const { agent, weather } = agentOf();
          const api = await serveAgent({ agent, version });
          const first = createHeadlessChat(client, api);
          await first.sendMessage({ text: 'hi' });
          const loaded = await load(api);
          expect(loaded.map(({ role }: { role: string }) => role)).to.deep.equal(['user', 'assistant']);
          const chat = createHeadlessChat(client, api, { messages: loaded, ...automatic });
          const part = toolPart(chat, 'weather') as unknown as { state: string; approval: { id: string } };
          expect(part.state).to.equal('approval-requested');
          expect(lastParts(chat).find(({ type }) => type === 'data-approval')).to.have.nested.property(
            'data.prompt',
            'may I?',
          );
          await chat.addToolApprovalResponse({ id: part.approval.id, approved: true });
          await until(() => lastTexts(chat).includes('It is cold.'), 'the run has ended');
          expect(toolPart(chat, 'weather')).to.include({ state: 'output-available', output: '18 °C' });
          expect(chat.messages).to.have.length(2);
          expect(weather.calls).to.have.length(1);
        });
      }

      if (version > 5)
        it('loads a thread whose sub-agent waits, with a settled call of the same step', async () => {
          const asksRm = defineHook({
            name: 'asks-rm',
            approve: ({ toolCall }) => (toolCall.name === 'rm' ? verdict.suspend('may I?') : verdict.allow()),
          });
          const both = { toolCalls: [call('weather'), call('helper', { prompt: 'help' })] };
          const { agent, rm } = family({
            hooks: [asksRm],
            turns: [both, 'ok'],
            tools: [scriptedTool({ name: 'weather', result: '18 °C' })],
          });
          const api = await serveAgent({ agent, version });
          const first = createHeadlessChat(client, api);
          await first.sendMessage({ text: 'hi' });
          const chat = createHeadlessChat(client, api, { messages: await load(api), ...automatic });
          expect(toolPart(chat, 'weather')).to.include({ state: 'output-available', output: '18 °C' });
          expect(toolPart(chat, 'helper')?.output).to.deep.equal({ hookline: 'waiting' });
          const waiting = toolPart(chat, 'rm') as unknown as { state: string; approval: { id: string } };
          expect(waiting.state).to.equal('approval-requested');
          await chat.addToolApprovalResponse({ id: waiting.approval.id, approved: true });
          await until(() => chat.status === 'ready' && lastTexts(chat).includes('ok'), 'the run has ended');
          expect(chat.messages).to.have.length(2);
          expect(lastParts(chat).filter(({ toolCallId }) => toolCallId !== undefined)).to.have.length(3);
          expect(toolPart(chat, 'helper')).to.include({ state: 'output-available', output: 'helped' });
          expect(toolPart(chat, 'rm')).to.include({ state: 'output-available', output: 'gone' });
          expect(rm.calls).to.have.length(1);
        });

      it('loads a thread after its run has ended, and continues it', async () => {
        const { agent } = agentOf({ asked: false });
        const api = await serveAgent({ agent, version });
        expect(await load(api)).to.deep.equal([]);
        const first = createHeadlessChat(client, api);
        await first.sendMessage({ text: 'hi' });
        const chat = createHeadlessChat(client, api, { messages: await load(api) });
        expect(lastTexts(chat)).to.deep.equal(lastTexts(first));
        expect(toolPart(chat, 'weather')).to.include({ state: 'output-available', output: '18 °C' });
        await chat.sendMessage({ text: 'And now?' });
        expect(lastTexts(chat)).to.deep.equal(['Take a coat.']);
        const foreign = await fetch(`${api}/thread`, { headers: { 'x-user': 'bob' } });
        expect([foreign.status, await foreign.json()]).to.deep.equal([200, []]);
      });

      it('loads a thread with an active run, whose stream follows', async () => {
        const followed = new Subject<void>();
        const slow = defineHook({
          name: 'slow',
          on: { reasoningChunk: (event) => (event.delta === 'two ' ? followed.pipe(map(() => event)) : event) },
        });
        const pipeline = createPipeline([slow], { log: silentLogger });
        const model = scriptedModel(['Hello.', { chunks: ['one ', 'two ', 'three'] }]);
        const api = await serveAgent({ agent: agentOf({ pipeline, model }).agent, version });
        const first = createHeadlessChat(client, api);
        await first.sendMessage({ text: 'hi' });
        const sent = first.sendMessage({ text: 'count' });
        await until(() => followed.observed && first.messages.length === 4, 'the run has begun');
        const chat = createHeadlessChat(client, api, { messages: await load(api) });
        expect(chat.messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user']);
        const resumed = chat.resumeStream();
        await until(() => chat.messages.length === 4, 'the stream is followed');
        followed.next();
        followed.complete();
        await Promise.all([sent, resumed]);
        expect(lastTexts(chat)).to.deep.equal(['one two three']);
        expect(chat.messages).to.have.length(4);
      });

      if (version > 5)
        it('loads a thread whose run has been resumed, and its stream', async () => {
          const done = new Subject<string>();
          const weather = { ...scriptedTool({ name: 'weather' }), execute: () => done };
          const { agent } = agentOf({ tools: [weather] });
          const api = await serveAgent({ agent, version });
          const first = createHeadlessChat(client, api);
          await first.sendMessage({ text: 'hi' });
          const { approval } = toolPart(first, 'weather') as unknown as { approval: { id: string } };
          await first.addToolApprovalResponse({ id: approval.id, approved: true });
          const sent = first.sendMessage();
          await until(() => done.observed, 'the tool runs');
          const chat = createHeadlessChat(client, api, { messages: await load(api) });
          const resumed = chat.resumeStream();
          await until(() => toolPart(chat, 'weather')?.state === 'input-available', 'the call is shown');
          done.next('18 °C');
          done.complete();
          await Promise.all([sent, resumed]);
          expect(chat.messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant']);
          expect(lastTexts(chat)).to.deep.equal(['Let me look.', 'It is cold.']);
          expect(lastParts(chat).filter(({ toolCallId }) => toolCallId !== undefined)).to.have.length(1);
          expect(toolPart(chat, 'weather')).to.include({ state: 'output-available', output: '18 °C' });
        });

      it('loads the earlier messages of a thread while a hook judges the next prompt', async () => {
        const judged = new Subject<void>();
        let prompts = 0;
        const slow = defineHook({ name: 'slow', on: { preCall: () => (++prompts > 1 ? judged : undefined) } });
        const pipeline = createPipeline([slow], { log: silentLogger });
        const { agent } = agentOf({ pipeline, model: scriptedModel(['One.', 'Two.']) });
        const api = await serveAgent({ agent, version });
        const first = createHeadlessChat(client, api);
        await first.sendMessage({ text: 'one' });
        const sent = first.sendMessage({ text: 'two' });
        await until(() => judged.observed, 'the hook judges');
        const loaded = await load(api);
        judged.complete();
        await sent;
        const texts = loaded.map(({ parts }: { parts: { text?: string }[] }) => parts.at(-1)?.text);
        expect(texts).to.deep.equal(['one', 'One.']);
      });

      it('stops all runs of a thread, also those that wait', async () => {
        const tool = new Subject<string>();
        const slow = { ...scriptedTool({ name: 'slow' }), execute: () => tool };
        const later = scriptedTool({ name: 'later' });
        const calls = ['slow', 'later'].map((name) => ({ id: name, name, input: {} }));
        const model = scriptedModel([{ toolCalls: calls }, 'Hello again.']);
        const api = await serveAgent({ agent: agentOf({ asked: false, model, tools: [slow, later] }).agent, version });
        const [chat, tab] = [createHeadlessChat(client, api), createHeadlessChat(client, api)];
        const sent = [chat.sendMessage({ text: 'go' })];
        await until(() => tool.observed, 'the first tool runs');
        sent.push(tab.sendMessage({ text: 'hi' }));
        await new Promise((resolve) => setTimeout(resolve, 60));
        await fetch(`${api}/thread/stop`, { method: 'POST', ...user });
        tool.complete();
        await Promise.all(sent);
        expect(later.calls).to.deep.equal([]);
        expect(model.requests).to.have.length(1);
      });

      it('stops a run: the next tool does not run, and the next message does not wait', async () => {
        const slow = { ...scriptedTool({ name: 'slow' }), execute: () => NEVER };
        const later = scriptedTool({ name: 'later' });
        const calls = ['slow', 'later'].map((name) => ({ id: name, name, input: {} }));
        const model = scriptedModel([{ toolCalls: calls }, 'Hello again.']);
        const api = await serveAgent({ agent: agentOf({ asked: false, model, tools: [slow, later] }).agent, version });
        const chat = createHeadlessChat(client, api);
        const sent = chat.sendMessage({ text: 'go' });
        await until(() => lastParts(chat).length > 1, 'the calls are shown');
        const stopped = await fetch(`${api}/thread/stop`, { method: 'POST', ...user });
        expect(stopped.status).to.equal(204);
        await sent;
        await chat.sendMessage({ text: 'hi' });
        expect(lastTexts(chat)).to.deep.equal(['Hello again.']);
        expect(later.calls).to.deep.equal([]);
      });

      it('regenerates an answer, also of a failed run', async () => {
        const model = scriptedModel(['Hello.', { error: 'overloaded' }, 'Fine.', 'Very well.']);
        const api = await serveAgent({ agent: agentOf({ asked: false, model }).agent, version });
        const chat = createHeadlessChat(client, api, { onError() {} });
        await chat.sendMessage({ text: 'hi' });
        await chat.sendMessage({ text: 'How are you?' });
        expect(chat.status).to.equal('error');
        for (const text of ['Fine.', 'Very well.']) {
          await chat.regenerate();
          expect(lastTexts(chat)).to.deep.equal([text]);
        }
        expect((await load(api)).at(-1).parts.at(-1).text).to.equal('Very well.');
      });

      for (const sends of ['its whole history', 'its last message']) {
        it(`regenerates the answer to a prompt that a hook has changed, for a client that sends ${sends}`, async () => {
          const marks = defineHook({
            name: 'marks',
            on: {
              preCall(event) {
                const [prompt] = event.messages;
                if (!prompt) return;
                if (textOf(prompt) === 'bad') return abort(event, 'This prompt is not allowed.');
                return { ...event, messages: [userMessage(`[marked] ${textOf(prompt)}`)] };
              },
            },
          });
          const pipeline = createPipeline([marks], { log: silentLogger });
          const model = scriptedModel(['One.', 'Two.', 'Three.', 'Four.']);
          const api = await serveAgent({ agent: agentOf({ pipeline, model }).agent, version });
          const transport = new sdk.DefaultChatTransport({
            ...{ api, headers: { 'x-user': 'ann' } },
            prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
              body: { id, trigger, messageId, messages: sends === 'its last message' ? messages.slice(-1) : messages },
            }),
          });
          const chat = createHeadlessChat(client, api, { transport, onError() {} });
          const stored = async () =>
            (await load(api)).map(({ parts }: { parts: { text: string }[] }) => parts.at(-1)?.text);
          await chat.sendMessage({ text: 'one' });
          await chat.sendMessage({ text: 'bad' });
          await chat.regenerate();
          expect(await stored()).to.deep.equal(['[marked] one', 'One.']);
          await chat.sendMessage({ text: 'two' });
          for (const text of ['Three.', 'Four.']) {
            await chat.regenerate();
            expect(await stored()).to.deep.equal(['[marked] one', 'One.', '[marked] two', text]);
          }
        });
      }

      it('rejects an http image with a readable message, and the thread continues', async () => {
        const api = await serveAgent({
          agent: agentOf({ asked: false, model: scriptedModel(['Hello.']) }).agent,
          version,
        });
        const url = 'http://127.0.0.1/a.png';
        const image = { id: 'm1', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url }] };
        const chat = createHeadlessChat(client, api, { messages: [image as never], onError() {} });
        await chat.sendMessage();
        expect(chat.error?.message).to.match(/^The request body is invalid: .*must start with data: or https:/s);
        await chat.sendMessage({ text: 'hello again' });
        expect(lastTexts(chat)).to.deep.equal(['Hello.']);
      });

      it('shows the input that a hook has changed', async () => {
        const rewrites = defineHook({
          name: 'rewrites',
          on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { city: 'Bergen' } } }) },
        });
        const weather = scriptedTool({ name: 'weather', result: '12 °C' });
        const pipeline = createPipeline([rewrites], { log: silentLogger });
        const { agent } = agentOf({ tools: [weather], pipeline });
        const chat = createHeadlessChat(client, await serveAgent({ agent, version }));
        await chat.sendMessage({ text: 'hi' });
        expect(weather.calls.map(({ input }) => input)).to.deep.equal([{ city: 'Bergen' }]);
        expect(toolPart(chat, 'weather')).to.deep.include({ state: 'output-available', input: { city: 'Bergen' } });
      });
    });
  }
});
