import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Caller, ChatOptions } from '../../lib/chat/chat-options.ts';
import { createChat } from '../../lib/chat/create-chat.ts';
import { createAgent, createPipeline, defineHook, type JsonObject, memoryTranscript } from '../../lib/index.ts';
import { silentLogger } from '../../lib/pipeline/logger.ts';
import { createRuns } from '../../lib/server/runs/create-runs.ts';
import { memoryStore } from '../../lib/store/documents/memory-store.ts';
import { memoryStateStore } from '../../lib/store/state/memory-state-store.ts';
import { scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { aChat, alice, asks, eventsOf, opened, outcomeOf, replayed, says } from './chats.ts';

const pays = { toolCalls: [{ id: 'c1', name: 'pay', input: { eur: 5 } }] };
const lead = { user: 'lead', approvesFor: '*' } as const;

/** A chat whose runs are on a page. */
function aWatchedChat(shared: Partial<ChatOptions> = {}) {
  const runs = createRuns({ store: memoryStore() });
  const pay = scriptedTool({ name: 'pay', result: 'paid' });
  const metadata: (JsonObject | undefined)[] = [];
  const sees = defineHook({
    name: 'sees',
    observe: ({ type, run }) => void (type === 'preCall' && metadata.push(run.metadata)),
  });
  const agent = {
    model: scriptedModel([pays, 'Done.', 'More.']),
    tools: [pay],
    hooks: [asks('pay'), sees],
    transcript: memoryTranscript(),
  };
  const chat = aChat(agent, { runs, store: memoryStateStore(), ...shared });
  return { runs, pay, chat, metadata };
}

async function approvalIn(runs: ReturnType<typeof createRuns>) {
  for (;;) {
    const [approval] = await runs.approvals(lead);
    if (approval) return approval;
    await sleep(2);
  }
}

describe('a chat with its runs on a page', () => {
  it('resumes the thread when the call is approved on the page', async () => {
    const { runs, pay, chat, metadata } = aWatchedChat();
    const first = opened(await chat.open(alice, says('pay')));
    await eventsOf(first);
    const { id, hash, sessionId } = await approvalIn(runs);
    expect(sessionId).to.equal('t1');
    expect((await runs.answer(lead, id, { action: 'approve', hash })).status).to.equal('resumed');
    const [, approved] = metadata;
    expect((approved!['approvals'] as JsonObject[])[0]).to.include({ by: 'lead', of: 'alice', action: 'approve' });
    let view = await chat.view(alice, 't1');
    while (view && 'run' in view && view.run) {
      await sleep(2);
      view = await chat.view(alice, 't1');
    }
    expect(JSON.stringify(view)).to.contain('Done.').and.contain('paid');
    const answers = [{ id: first.waiting()[0]!.id, approved: true }];
    const again = replayed(await chat.open(alice, { threadId: 't1', messages: [], answers }));
    expect(again.calls.map(({ result }) => result?.content)).to.deep.equal(['paid']);
    expect(pay.calls).to.have.length(1);
  });

  it('ends the approval on the page when the client answers', async () => {
    const { runs, chat, pay } = aWatchedChat();
    const first = opened(await chat.open(alice, says('pay')));
    await eventsOf(first);
    const { id, hash, runId } = await approvalIn(runs);
    const answers = [{ id: first.waiting()[0]!.id, approved: true }];
    expect(await outcomeOf(opened(await chat.open(alice, { threadId: 't1', messages: [], answers })))).to.equal(
      'completed',
    );
    while ((await runs.find('alice', runId)).resumedBy === undefined) await sleep(2);
    expect(await runs.approvals(lead)).to.deep.equal([]);
    const late = await runs.answer(lead, id, { action: 'deny', hash }).catch((error: Error) => error);
    expect(String(late)).to.contain('There is no approval');
    expect(pay.calls).to.have.length(1);
  });

  it('runs the call once when page and client answer at the same time', async () => {
    for (const isPageFirst of [true, false, true, false]) {
      const { runs, chat, pay } = aWatchedChat();
      const first = opened(await chat.open(alice, says('pay')));
      await eventsOf(first);
      const { id, hash } = await approvalIn(runs);
      const answers = [{ id: first.waiting()[0]!.id, approved: true }];
      const byPage = () => runs.answer(lead, id, { action: 'approve', hash }).catch((error: Error) => error);
      const byClient = async () => {
        const run = await chat.open(alice, { threadId: 't1', messages: [], answers });
        if (run && 'events$' in run) await eventsOf(run);
      };
      await Promise.all(isPageFirst ? [byPage(), byClient()] : [byClient(), byPage()]);
      await sleep(50);
      expect(pay.calls).to.have.length(1);
      expect(await runs.approvals(lead)).to.deep.equal([]);
    }
  });

  it('resumes a thread after a restart', async () => {
    const store = memoryStateStore();
    const documents = memoryStore();
    const transcript = memoryTranscript();
    const pay = scriptedTool({ name: 'pay', result: 'paid' });
    const program = (...turns: Parameters<typeof scriptedModel>[0]) => {
      const runs = createRuns({ store: documents });
      const agent = { model: scriptedModel(turns), tools: [pay], hooks: [asks('pay')], transcript };
      return { runs, chat: aChat(agent, { runs, store }) };
    };
    const first = program(pays);
    await eventsOf(opened(await first.chat.open(alice, says('pay'))));
    await approvalIn(first.runs);
    const second = program('Done.');
    const { id, hash } = await approvalIn(second.runs);
    expect((await second.runs.answer(lead, id, { action: 'approve', hash })).status).to.equal('resumed');
    expect(pay.calls).to.have.length(1);
  });

  it('gives the approval up when the client sends another message', async () => {
    const { runs, chat } = aWatchedChat();
    await eventsOf(opened(await chat.open(alice, says('pay'))));
    const { id, hash, runId } = await approvalIn(runs);
    await eventsOf(opened(await chat.open(alice, says('never mind'))));
    while ((await runs.find('alice', runId)).state !== 'ended') await sleep(2);
    const late = await runs.answer(lead, id, { action: 'approve', hash }).catch((error: Error) => error);
    expect(String(late)).to.contain('There is no approval');
  });

  it('denies with the reason of the approver', async () => {
    const { runs, chat, pay } = aWatchedChat();
    await eventsOf(opened(await chat.open(alice, says('pay'))));
    const { id, hash } = await approvalIn(runs);
    await runs.answer(lead, id, { action: 'deny', hash, reason: 'too much' });
    while (!JSON.stringify(await chat.view(alice, 't1')).includes('Done.')) await sleep(2);
    expect(JSON.stringify(await chat.view(alice, 't1'))).to.contain('too much');
    expect(pay.calls).to.deep.equal([]);
  });

  it('resumes the run by the handler of its agent, as the caller of its session', async () => {
    const runs = createRuns({ store: memoryStore() });
    const store = memoryStateStore();
    const callers: Caller[] = [];
    const program = (name: string) => {
      const pay = scriptedTool({ name: 'pay', result: 'paid' });
      const pipeline = createPipeline([asks('pay')], { log: silentLogger });
      const model = scriptedModel([pays, 'Done.']);
      const agent = createAgent({ name, model, tools: [pay], pipeline, transcript: memoryTranscript() });
      const chat = createChat({
        agent(caller) {
          callers.push(caller);
          return agent;
        },
        ...{ identify: () => alice, log: silentLogger, runs, store },
      });
      return { pay, chat };
    };
    const support = program('support');
    const billing = program('billing');
    await eventsOf(opened(await support.chat.open({ ...alice, sessionId: 'shared' }, says('pay'))));
    const { id, hash } = await approvalIn(runs);
    expect((await runs.answer(lead, id, { action: 'approve', hash })).status).to.equal('resumed');
    expect(support.pay.calls).to.have.length(1);
    expect(billing.pay.calls).to.have.length(0);
    expect(callers.at(-1)).to.deep.equal({ ...alice, sessionId: 'shared' });
  });
});
