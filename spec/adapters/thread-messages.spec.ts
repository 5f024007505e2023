import { expect } from 'chai';
import { type AgUiEvent, agUiHandler } from '../../lib/adapters/ag-ui/index.ts';
import { uiMessageStreamHandler } from '../../lib/adapters/ai-sdk-ui/index.ts';
import { createAgent, createPipeline, defineHook, type Hook, verdict } from '../../lib/index.ts';
import { silentLogger } from '../../lib/pipeline/logger.ts';
import { scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { family } from '../agent/family.ts';

const ann = { userId: 'ann' };
const look = { toolCalls: [{ id: 'c1', name: 'look', input: { at: 1 } }] };
const asks = (tool: string): Hook =>
  defineHook({
    name: 'asks',
    approve: ({ toolCall }) => (toolCall.name === tool ? verdict.suspend('May I?') : verdict.allow()),
  });

function handlers(agent: ReturnType<typeof createAgent>) {
  const options = { agent, identify: () => ann, log: silentLogger };
  const [agUi, aiSdkUi] = [agUiHandler(options), uiMessageStreamHandler(options)];
  const headers = { 'content-type': 'application/json' };
  return {
    agUi,
    aiSdkUi,
    async post(body: object) {
      const json = JSON.stringify({ threadId: 't', runId: 'r1', messages: [], ...body });
      const response = await agUi(new Request('http://127.0.0.1/', { method: 'POST', headers, body: json }));
      return [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as AgUiEvent);
    },
    async chat(text: string, id = 't') {
      const body = JSON.stringify({ id, messages: [{ id: text, role: 'user', parts: [{ type: 'text', text }] }] });
      await (await aiSdkUi(new Request('http://127.0.0.1/api/chat', { method: 'POST', headers, body }))).text();
    },
  };
}
const helper = (turns: Parameters<typeof scriptedModel>[0], hooks: readonly Hook[] = []) =>
  createAgent({
    name: 'helper',
    model: scriptedModel(turns),
    tools: [scriptedTool({ name: 'look', result: 'seen' })],
    pipeline: createPipeline(hooks, { log: silentLogger }),
  });
const says = (content: string) => ({ messages: [{ id: content, role: 'user', content }] });

describe('threadMessages', () => {
  it('of agUiHandler names calls with the same id differently', async () => {
    const { post, agUi } = handlers(helper([look, 'One.', look, 'Two.']));
    await post(says('first'));
    await post(says('second'));
    const messages = await agUi.threadMessages(ann, 't');
    const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
    const results = messages.flatMap(({ toolCallId }) => toolCallId ?? []);
    expect(new Set(calls).size).to.equal(2);
    expect(results).to.deep.equal(calls);
    expect(new Set(messages.map(({ id }) => id)).size).to.equal(messages.length);
  });

  it('of agUiHandler contains the pending call of a sub-agent, by the ID of its interrupt', async () => {
    const { agent } = family({ hooks: [asks('rm')] });
    const { post, agUi } = handlers(agent);
    const last = (await post(says('go'))).at(-1);
    const [interrupt] =
      last?.type === 'RUN_FINISHED' && last.outcome.type === 'interrupt' ? last.outcome.interrupts : [];
    const messages = await agUi.threadMessages(ann, 't');
    const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
    expect(calls.map((call) => call.function.name)).to.deep.equal(['helper', 'rm']);
    expect(calls[1]?.id).to.equal(interrupt?.toolCallId);
  });

  it('of uiMessageStreamHandler shows failed and interrupted calls without details', async () => {
    const fails = scriptedTool({ name: 'look', result: { content: 'token sk-1 expired', isError: true } });
    const agent = createAgent({ name: 'a', model: scriptedModel([look, { error: 'overloaded' }]), tools: [fails] });
    const { aiSdkUi, chat } = handlers(agent);
    await chat('go');
    const [, reply] = await aiSdkUi.threadMessages(ann, 't');
    expect(reply?.parts.at(1)).to.include({ state: 'output-error', errorText: 'The call did not succeed.' });
    expect(JSON.stringify(reply)).to.not.include('sk-1');
  });

  it('is empty for an unknown thread, also if another user has a thread with this ID', async () => {
    const { agUi, aiSdkUi, post, chat } = handlers(helper(['Hello.', 'Hello.']));
    await post(says('hi'));
    await chat('hi', 't2');
    for (const [handler, thread] of [
      [agUi, 't'],
      [aiSdkUi, 't2'],
    ] as const) {
      expect(await handler.threadMessages(ann, 'unknown')).to.deep.equal([]);
      expect(await handler.threadMessages(ann, thread)).to.have.length(2);
      expect(await handler.threadMessages({ userId: 'bob' }, thread)).to.deep.equal([]);
    }
  });
});
