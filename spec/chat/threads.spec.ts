import { expect } from 'chai';
import { firstValueFrom, NEVER } from 'rxjs';
import {
  abort,
  assistantMessage,
  defineHook,
  type Message,
  memoryTranscript,
  retry,
  textOf,
  userMessage,
} from '../../lib/index.ts';
import { memoryStateStore } from '../../lib/store/state/memory-state-store.ts';
import { scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { aChat, alice, asks, bob, eventsOf, opened, outcomeOf, refused, replayed, says } from './chats.ts';

const pays = { toolCalls: [{ id: 'c1', name: 'pay', input: { eur: 5 } }] };
const lines = (messages: readonly Message[]) => messages.map((message) => `${message.role}: ${textOf(message)}`);

/** Chats of two processes with the same stores. */
function twoProcesses(...turns: Parameters<typeof scriptedModel>[0]) {
  const shared = { store: memoryStateStore(), transcript: memoryTranscript() };
  const tool = scriptedTool({ name: 'pay', result: 'paid' });
  const chatOf = (own: Parameters<typeof scriptedModel>[0]) =>
    aChat(
      { model: scriptedModel(own), tools: [tool], hooks: [asks('pay')], transcript: shared.transcript },
      { store: shared.store },
    );
  return { first: chatOf(turns), other: (...own: Parameters<typeof scriptedModel>[0]) => chatOf(own), tool };
}

describe('a thread', () => {
  it('returns the results of repeated answers after the run has ended, also in another process', async () => {
    const { first, other, tool } = twoProcesses(pays, 'Done.');
    const run = opened(await first.open(alice, says('pay')));
    await eventsOf(run);
    const answers = [{ id: run.waiting()[0]!.id, approved: true }];
    await eventsOf(opened(await first.open(alice, { threadId: 't1', messages: [], answers })));
    for (const chat of [first, other()]) {
      const { calls, messages, pending, complete } = replayed(
        await chat.open(alice, { threadId: 't1', messages: [], answers }),
      );
      expect(calls.map(({ toolCallId, result }) => [toolCallId, result?.content])).to.deep.equal([['c1', 'paid']]);
      expect(lines(messages)).to.deep.equal(['assistant: Done.']);
      expect([pending.calls, complete]).to.deep.equal([[], true]);
    }
    expect(tool.calls).to.have.length(1);
  });

  it('returns the results of repeated answers to a client that has the conversation', async () => {
    const store = memoryStateStore();
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const chatOf = (...turns: Parameters<typeof scriptedModel>[0]) =>
      aChat({ model: scriptedModel(turns), tools: [tool], hooks: [asks('pay')] }, { store, trustClientHistory: true });
    const first = chatOf(pays, 'Done.');
    const run = opened(await first.open(alice, says('pay')));
    await eventsOf(run);
    const answers = [{ id: run.waiting()[0]!.id, approved: true }];
    await eventsOf(opened(await first.open(alice, { threadId: 't1', messages: [], answers })));
    for (const chat of [first, chatOf()]) {
      const { calls, messages, complete } = replayed(await chat.open(alice, { threadId: 't1', messages: [], answers }));
      expect(calls.map(({ toolCallId, result }) => [toolCallId, result?.content])).to.deep.equal([['c1', 'paid']]);
      expect(lines(messages)).to.deep.equal(['assistant: Done.']);
      expect(complete).to.equal(true);
    }
    expect(tool.calls).to.have.length(1);
  });

  it('returns the calls that are pending after repeated answers', async () => {
    const { first } = twoProcesses(pays, { toolCalls: [{ id: 'c2', name: 'pay', input: { eur: 6 } }] }, 'Done.');
    const run = opened(await first.open(alice, says('pay twice')));
    await eventsOf(run);
    const answers = [{ id: run.waiting()[0]!.id, approved: true }];
    const second = opened(await first.open(alice, { threadId: 't1', messages: [], answers }));
    expect(await outcomeOf(second)).to.equal('suspended');
    const { calls, pending, complete } = replayed(await first.open(alice, { threadId: 't1', messages: [], answers }));
    expect(calls.map(({ result }) => result?.content)).to.deep.equal(['paid']);
    expect(pending.calls.map(({ toolCallId }) => toolCallId)).to.deep.equal(['c2']);
    expect(complete).to.equal(true);
  });

  it('reports that the resumed run has not ended', async () => {
    const shared = { store: memoryStateStore(), transcript: memoryTranscript() };
    const hangs = { ...scriptedTool({ name: 'pay' }), execute: () => NEVER };
    const chatOf = (turns: Parameters<typeof scriptedModel>[0]) =>
      aChat(
        { model: scriptedModel(turns), tools: [hangs], hooks: [asks('pay')], transcript: shared.transcript },
        shared,
      );
    const chat = chatOf([pays]);
    const run = opened(await chat.open(alice, says('pay')));
    await eventsOf(run);
    const answers = [{ id: run.waiting()[0]!.id, approved: true }];
    const resumed = opened(await chat.open(alice, { threadId: 't1', messages: [], answers }));
    const watching = resumed.events$.subscribe();
    const { calls, complete } = replayed(await chatOf([]).open(alice, { threadId: 't1', messages: [], answers }));
    expect(calls.map(({ result }) => result)).to.deep.equal([undefined]);
    expect(complete).to.equal(false);
    await chat.stop(alice, 't1');
    watching.unsubscribe();
  });

  it('is viewed with its messages and pending calls, by its user only', async () => {
    const { first, other } = twoProcesses('Hello.', pays);
    expect(await first.view(alice, 't1')).to.equal(undefined);
    await eventsOf(opened(await first.open(alice, says('hi'))));
    await eventsOf(opened(await first.open(alice, says('pay'))));
    for (const chat of [first, other()]) {
      const view = await chat.view(alice, 't1');
      if (!view || !('messages' in view)) throw new Error('no view');
      expect(lines(view.messages)).to.deep.equal(['user: hi', 'assistant: Hello.', 'user: pay', 'assistant: ']);
      expect(view.pending.calls.map(({ tool }) => tool)).to.deep.equal(['pay']);
    }
    expect(await first.view(bob, 't1')).to.equal(undefined);
  });

  it('is viewed without pending calls if their snapshot cannot be read', async () => {
    const store = memoryStateStore();
    const chat = aChat(
      {
        model: scriptedModel([{ toolCalls: [{ name: 'pay', input: {} }] }]),
        tools: [scriptedTool({ name: 'pay' })],
        hooks: [asks('pay')],
      },
      { store },
    );
    await eventsOf(opened(await chat.open(alice, says('pay'))));
    const key = ['chat', 'thread', 'alice:t1'] as const;
    const { value } = (await firstValueFrom(store.get(key)))!;
    const thread = value as unknown as { waiting: object };
    await firstValueFrom(store.set(key, { ...thread, waiting: { ...thread.waiting, snapshot: { version: 2 } } }));
    const view = await chat.view(alice, 't1');
    expect(view).to.have.nested.property('pending.calls').with.length(0);
    expect(view).to.have.property('messages').with.length.above(0);
  });

  it('is viewed without system messages and injected messages', async () => {
    const injects = defineHook({
      name: 'injects',
      on: { postReasoning: (event) => (event.iteration === 1 ? retry(event, [userMessage('Again.')]) : undefined) },
    });
    const model = scriptedModel(['One.', 'Two.']);
    const chat = aChat({ model, hooks: [injects], instructions: 'Be brief.' });
    await eventsOf(opened(await chat.open(alice, says('hi'))));
    const view = await chat.view(alice, 't1');
    expect(lines((view as { messages: readonly Message[] }).messages).at(0)).to.equal('user: hi');
    expect(JSON.stringify(model.requests[1])).to.include('Be brief.').and.include('Again.');
    expect(JSON.stringify(view)).to.not.include('Be brief.').and.not.include('Again.');
  });

  it('is viewed up to the prompt of an active run', async () => {
    const hangs = { ...scriptedTool({ name: 'look', permission: 'read' as const }), execute: () => NEVER };
    const look = { toolCalls: [{ id: 'c1', name: 'look', input: {} }] };
    const chat = aChat({ model: scriptedModel(['Hello.', look, 'Done.']), tools: [hangs] });
    await eventsOf(opened(await chat.open(alice, says('hi'))));
    const run = opened(await chat.open(alice, says('look')));
    const watching = run.events$.subscribe();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const view = await chat.view(alice, 't1');
    if (!view || !('messages' in view)) throw new Error('no view');
    expect(lines(view.messages)).to.deep.equal(['user: hi', 'assistant: Hello.', 'user: look']);
    expect(view.run?.id).to.equal(run.id);
    await chat.stop(alice, 't1');
    watching.unsubscribe();
  });

  it('stops: a call that has not started does not run, and the next message does not wait', async () => {
    const slow = { ...scriptedTool({ name: 'slow' }), execute: () => NEVER };
    const later = scriptedTool({ name: 'later', result: 'too late' });
    const both = { toolCalls: ['slow', 'later'].map((name) => ({ id: name, name, input: {} })) };
    const chat = aChat({ model: scriptedModel([both, 'Hello again.']), tools: [slow, later] });
    const run = opened(await chat.open(alice, says('go')));
    const ended = outcomeOf(run);
    await chat.stop(bob, 't1');
    expect(opened(chat.running(alice, 't1')).id).to.equal(run.id);
    await chat.stop(alice, 't1');
    expect(await ended).to.equal('cancelled');
    expect(later.calls).to.deep.equal([]);
    expect(await outcomeOf(opened(await chat.open(alice, says('hi'))))).to.equal('completed');
    await chat.stop(alice, 'unknown');
  });

  it('repeats the last turn, also after a failed run', async () => {
    const model = scriptedModel(['One.', { error: 'overloaded' }, 'Two.', 'Two again.']);
    const chat = aChat({ model });
    await eventsOf(opened(await chat.open(alice, says('first'))));
    expect(await outcomeOf(opened(await chat.open(alice, says('second'))))).to.equal('failed');
    const history = [userMessage('first'), assistantMessage('One.'), userMessage('second')];
    for (const messages of [history, history.slice(-1)])
      expect(await outcomeOf(opened(await chat.open(alice, { threadId: 't1', messages, regenerate: true })))).to.equal(
        'completed',
      );
    const shown = ['user: first', 'assistant: One.', 'user: second'];
    expect(model.requests.slice(2).map(({ messages }) => lines(messages))).to.deep.equal([shown, shown]);
    const view = await chat.view(alice, 't1');
    expect(lines((view as { messages: readonly Message[] }).messages)).to.deep.equal([
      ...shown,
      'assistant: Two again.',
    ]);
  });

  it('starts a turn whose prompt was never stored', async () => {
    const refuses = defineHook({
      name: 'refuses',
      on: {
        preCall: (event) =>
          textOf(event.messages[0]).includes('bad') ? abort(event, 'no', { rollback: true }) : undefined,
      },
    });
    const model = scriptedModel(['One.', 'Better.']);
    const chat = aChat({ model, hooks: [refuses] });
    await eventsOf(opened(await chat.open(alice, says('first'))));
    expect(await outcomeOf(opened(await chat.open(alice, says('bad'))))).to.equal('aborted');
    const messages = [userMessage('first'), assistantMessage('One.'), userMessage('good')];
    await eventsOf(opened(await chat.open(alice, { threadId: 't1', messages, regenerate: true })));
    expect(lines(model.requests.at(-1)?.messages ?? [])).to.deep.equal([
      'user: first',
      'assistant: One.',
      'user: good',
    ]);
  });

  it('does not repeat an earlier turn', async () => {
    const model = scriptedModel(['One.', 'Two.', 'Three.']);
    const chat = aChat({ model });
    const prompts = ['first', 'second', 'third'];
    for (const prompt of prompts) await eventsOf(opened(await chat.open(alice, says(prompt))));
    for (const count of [1, 2]) {
      const messages = prompts.slice(0, count).map((prompt) => userMessage(prompt));
      const refusal = refused(await chat.open(alice, { threadId: 't1', messages, regenerate: true }));
      expect(refusal.code).to.equal('HISTORY_FIXED');
    }
    expect(refused(await chat.open(alice, { threadId: 't2', messages: [], regenerate: true })).code).to.equal(
      'HISTORY_FIXED',
    );
    expect(model.requests).to.have.length(3);
  });
});
