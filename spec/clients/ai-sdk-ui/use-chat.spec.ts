import { expect } from 'chai';
import { NEVER } from 'rxjs';
import {
  type AgentOptions,
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  memoryTranscript,
  verdict,
} from '../../../lib/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { family } from '../../agent/family.ts';
import { createHeadlessChat, lastParts, lastTexts, toolPart, until } from './chat.ts';
import { clients } from './clients.ts';
import { createHost, type HandlerParts, type Host } from './host.ts';

const looks = { text: 'Let me look.', toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] };
const ask = defineHook({
  name: 'asks',
  approve: ({ toolCall }) =>
    toolCall.name === 'weather' || toolCall.name === 'rm' ? verdict.suspend('may I?') : verdict.allow(),
});

interface Scene extends Partial<AgentOptions> {
  readonly turns?: Parameters<typeof scriptedModel>[0];
  readonly hooks?: readonly Hook[];
}

function scene({ turns = [looks, 'It is cold.'], hooks = [], ...own }: Scene = {}) {
  const weather = scriptedTool({ name: 'weather', result: '18 °C' });
  const model = scriptedModel(turns);
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const agent = createAgent({
    name: 'guide',
    model,
    tools: [weather],
    pipeline: createPipeline(hooks, { log }),
    ...own,
  });
  return { agent, model, weather };
}

describe('useChat without a page, over HTTP', () => {
  let host: Host;
  const serveAgent = async (parts: HandlerParts): Promise<string> => {
    host = await createHost(parts);
    return host.api;
  };
  afterEach(() => host.close());

  for (const client of clients) {
    const { version, sdk } = client;
    const again = version === 5 ? undefined : sdk.lastAssistantMessageIsCompleteWithApprovalResponses;

    describe(client.name, () => {
      it('shows the run and continues with the next message', async () => {
        const { agent, model } = scene({ turns: [looks, 'It is cold.', 'Take a coat.'] });
        const ends: string[] = [];
        const chat = createHeadlessChat(client, await serveAgent({ agent, version }), {
          onFinish: ({ message }) => void ends.push(message.id),
        });
        await chat.sendMessage({ text: 'hi' });
        expect(lastTexts(chat)).to.deep.equal(['Let me look.', 'It is cold.']);
        expect(toolPart(chat, 'weather')).to.include({ state: 'output-available', output: '18 °C' });
        await chat.sendMessage({ text: 'And now?' });
        expect(lastTexts(chat)).to.deep.equal(['Take a coat.']);
        expect(model.requests[2]?.messages.map(({ role }) => role)).to.deep.equal([
          'user',
          'assistant',
          'tool',
          'assistant',
          'user',
        ]);
        expect(chat.messages.map(({ id }) => id)).to.have.length(4);
        expect(new Set(chat.messages.map(({ id }) => id)).size).to.equal(4);
        expect([chat.status, chat.error, ends.length]).to.deep.equal(['ready', undefined, 2]);
      });

      it('reports a failed run without the cause', async () => {
        const { agent } = scene({ turns: [{ text: 'so far', error: 'key sk-1 is wrong' }] });
        const chat = createHeadlessChat(client, await serveAgent({ agent, version }));
        await chat.sendMessage({ text: 'hi' });
        expect(chat.status).to.equal('error');
        expect(chat.error?.message).to.match(/^The run failed \([-0-9a-f]+\)\.$/);
        expect(lastTexts(chat)).to.deep.equal(['so far']);
      });

      if (again)
        for (const approved of [true, false])
          it(`${approved ? 'runs' : 'does not run'} a call after the answer, in another process`, async () => {
            const store = memoryStateStore();
            const transcript = memoryTranscript();
            const first = scene({ turns: [looks], hooks: [ask], transcript });
            const api = await serveAgent({ agent: first.agent, store, version });
            const chat = createHeadlessChat(client, api, { sendAutomaticallyWhen: again });
            await chat.sendMessage({ text: 'hi' });
            const waiting = toolPart(chat, 'weather');
            expect(waiting).to.include({ state: 'approval-requested' });
            expect(lastParts(chat).find(({ type }) => type === 'data-approval')?.data).to.deep.include({
              prompt: 'may I?',
            });
            const second = scene({ turns: ['Done.'], hooks: [ask], transcript });
            host.use({ agent: second.agent, store, version });
            await chat.addToolApprovalResponse({ id: waiting?.approval?.id ?? '', approved, reason: 'because' });
            await until(() => chat.status === 'ready' && lastTexts(chat).includes('Done.'), 'the run goes on');
            expect(toolPart(chat, 'weather')?.state).to.equal(approved ? 'output-available' : 'output-denied');
            expect(second.weather.calls).to.have.length(approved ? 1 : 0);
            expect(chat.messages).to.have.length(2);
          });

      if (again)
        it("prompts for a sub-agent's call and continues both", async () => {
          const { agent, rm } = family({ hooks: [ask] });
          const chat = createHeadlessChat(client, await serveAgent({ agent, version }), {
            sendAutomaticallyWhen: again,
          });
          await chat.sendMessage({ text: 'hi' });
          const waiting = toolPart(chat, 'rm');
          expect(waiting).to.include({ state: 'approval-requested' });
          expect(toolPart(chat, 'helper')?.output).to.deep.equal({ hookline: 'waiting' });
          await chat.addToolApprovalResponse({ id: waiting?.approval?.id ?? '', approved: true });
          await until(() => chat.status === 'ready' && lastTexts(chat).includes('ok'), 'the run goes on');
          expect(rm.calls).to.have.length(1);
          expect(toolPart(chat, 'rm')).to.include({ state: 'output-available', output: 'gone' });
          expect(toolPart(chat, 'helper')).to.include({ state: 'output-available', output: 'helped' });
        });

      if (again)
        it('prompts again for a hook that asks later and for the next call, in one message', async () => {
          let judged = 0;
          const later = () => (++judged > 1 ? verdict.suspend('really?') : verdict.allow());
          const second = defineHook({ name: 'asks-later', approve: later });
          const { agent, weather } = scene({ turns: [looks, looks, 'Done.'], hooks: [ask, second] });
          const api = await serveAgent({ agent, version });
          const chat = createHeadlessChat(client, api, { sendAutomaticallyWhen: again });
          await chat.sendMessage({ text: 'hi' });
          const seen: string[] = [];
          for (let asked = 0; asked < 3; asked++) {
            const waits = () =>
              lastParts(chat).find(({ state, approval }) => {
                return state === 'approval-requested' && approval !== undefined && !seen.includes(approval.id);
              });
            await until(() => chat.status === 'ready' && waits() !== undefined, `question ${asked + 1}`);
            const id = waits()?.approval?.id ?? '';
            seen.push(id);
            await chat.addToolApprovalResponse({ id, approved: true });
          }
          await until(() => chat.status === 'ready' && lastTexts(chat).includes('Done.'), 'the run goes on');
          const calls = lastParts(chat).filter(({ type }) => type === 'dynamic-tool');
          expect(calls.map(({ state }) => state)).to.deep.equal(['output-available', 'output-available']);
          expect([weather.calls.length, chat.messages.length]).to.deep.equal([2, 2]);
        });

      if (again)
        it('sends the answers to calls of one message together', async () => {
          const both = { toolCalls: [...looks.toolCalls, { name: 'weather', input: { city: 'Rome' } }] };
          const { agent, weather } = scene({ turns: [both, 'Done.'], hooks: [ask] });
          const api = await serveAgent({ agent, version });
          const chat = createHeadlessChat(client, api, { sendAutomaticallyWhen: again });
          await chat.sendMessage({ text: 'hi' });
          const ids = lastParts(chat).flatMap(({ approval }) => (approval ? [approval.id] : []));
          expect(ids).to.have.length(2);
          for (const [at, id] of ids.entries()) await chat.addToolApprovalResponse({ id, approved: at === 1 });
          await until(() => chat.status === 'ready' && lastTexts(chat).includes('Done.'), 'the run goes on');
          expect(weather.calls.map(({ input }) => input)).to.deep.equal([{ city: 'Rome' }]);
          const calls = lastParts(chat).filter(({ type }) => type === 'dynamic-tool');
          expect(calls.map(({ state }) => state)).to.deep.equal(['output-denied', 'output-available']);
        });

      it('sends answers in the body, with an edited input', async () => {
        const { agent, weather } = scene({ hooks: [ask], turns: [looks, 'Done.'] });
        const chat = createHeadlessChat(client, await serveAgent({ agent, version }));
        await chat.sendMessage({ text: 'hi' });
        const { id } = (lastParts(chat).find(({ type }) => type === 'data-approval')?.data ?? {}) as { id: string };
        await chat.sendMessage(undefined, { body: { approvals: [{ id, approved: true, input: { city: 'Rome' } }] } });
        expect(chat.error).to.equal(undefined);
        expect(weather.calls.map(({ input }) => input)).to.deep.equal([{ city: 'Rome' }]);
        expect(lastTexts(chat)).to.deep.equal(['Let me look.', 'Done.']);
      });

      it('lets the client run its own tools after judging, and hooks see their results', async () => {
        const where = { name: 'whereAmI', description: 'where', inputSchema: { type: 'object' } };
        const calls = { toolCalls: [{ name: 'whereAmI', input: { exact: true } }] };
        const seen: string[] = [];
        const sees = defineHook({ name: 'sees', on: { postActing: ({ result }) => void seen.push(result.content) } });
        const { agent } = scene({ turns: [calls, 'You are in Oslo.'], hooks: [sees] });
        const api = await serveAgent({ agent, version, clientTools: [where] });
        const called: unknown[] = [];
        const chat = createHeadlessChat(client, api, {
          sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithToolCalls,
          onToolCall: ({ toolCall }) => {
            called.push(toolCall.input);
            const result = { tool: 'whereAmI', toolCallId: toolCall.toolCallId, output: { city: 'Oslo' } };
            void (version === 5 ? chat.addToolResult(result) : chat.addToolOutput(result));
          },
        });
        await chat.sendMessage({ text: 'where am I?' });
        await until(() => chat.status === 'ready' && lastTexts(chat).length > 0, 'the run goes on');
        expect(called).to.deep.equal([{ exact: true }]);
        expect(seen).to.deep.equal(['{"city":"Oslo"}']);
        expect(lastTexts(chat)).to.deep.equal(['You are in Oslo.']);
      });

      it('reconnects to an active run', async () => {
        const slow = scene({ model: scriptedModel([{ chunks: ['one ', 'two ', 'three'] }], { delayMs: 100 }) });
        const api = await serveAgent({ agent: slow.agent, version });
        const first = createHeadlessChat(client, api);
        const sent = first.sendMessage({ text: 'hi' });
        await until(() => lastTexts(first).length > 0, 'the run has begun');
        const [question] = first.messages;
        const second = createHeadlessChat(client, api, { messages: [structuredClone(question!)] });
        await second.resumeStream();
        await sent;
        expect(lastTexts(second)).to.deep.equal(['one two three']);
        expect(second.messages).to.deep.equal(first.messages);
        await second.resumeStream();
        expect(second.messages).to.have.length(2);
        // After 204 version 5.0.0 waits forever.
        expect([second.status, second.error]).to.deep.equal([version === 5 ? 'submitted' : 'ready', undefined]);
      });

      it('ends a run when its client stops, if configured', async () => {
        const { agent } = scene({ model: () => NEVER });
        const ended: string[] = [];
        agent.addHook(
          defineHook({
            name: 'sees',
            observe: (event) => (event.type === 'postCall' ? void ended.push(event.outcome) : undefined),
          }),
        );
        const api = await serveAgent({ agent, version, onDisconnect: 'cancel' });
        const chat = createHeadlessChat(client, api);
        const sent = chat.sendMessage({ text: 'hi' });
        await until(() => chat.messages.length === 2, 'the run has begun');
        await chat.stop();
        await sent;
        await until(() => ended.length > 0, 'the run ends');
        expect(ended).to.deep.equal(['cancelled']);
      });
    });
  }
});
