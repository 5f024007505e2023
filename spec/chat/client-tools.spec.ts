import { expect } from 'chai';
import type { ChatRequest } from '../../lib/chat/chat-request.ts';
import { defineHook, modify, verdict } from '../../lib/index.ts';
import { memoryStateStore } from '../../lib/store/state/memory-state-store.ts';
import { scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { aChat, alice, asks, eventsOf, opened, outcomeOf, refused, replayed, resultsOf, says } from './chats.ts';

const paint = { name: 'paint', description: 'Paints.', inputSchema: { type: 'object' } } as const;
const calls = (...ids: string[]) => ids.map((id) => ({ id, name: 'paint', input: { of: id } }));
const results = (...ids: string[]): Pick<ChatRequest, 'threadId' | 'messages' | 'results'> => ({
  threadId: 't1',
  messages: [],
  results: ids.map((toolCallId) => ({ toolCallId, result: { content: `${toolCallId} painted`, isError: false } })),
});

describe('a client tool', () => {
  it('waits for the client and returns its result, in another process too', async () => {
    const store = memoryStateStore();
    const first = opened(
      await aChat({ model: scriptedModel([{ toolCalls: calls('c1') }]) }, { store }).open(alice, {
        ...says('go'),
        tools: [paint],
      }),
    );
    expect(await outcomeOf(first)).to.equal('suspended');
    expect(first.waiting()).to.have.length(1);
    expect(first.waiting()[0]).to.include({ client: true, tool: 'paint' });
    // The tools are not posted again.
    const second = opened(await aChat({ model: scriptedModel(['Done.']) }, { store }).open(alice, results('c1')));
    expect([...second.clientTools]).to.deep.equal(['paint']);
    expect(await resultsOf(second)).to.deep.equal([{ id: 'c1', outcome: 'executed', content: 'c1 painted' }]);
  });

  it('may get its results one by one: a call without a result waits again', async () => {
    const chat = aChat({ model: scriptedModel([{ toolCalls: calls('c1', 'c2') }, 'Done.']) });
    await eventsOf(opened(await chat.open(alice, { ...says('go'), tools: [paint] })));
    const second = opened(await chat.open(alice, results('c1')));
    expect(await outcomeOf(second)).to.equal('suspended');
    expect(second.waiting().map(({ toolCallId }) => toolCallId)).to.deep.equal(['c2']);
    const third = opened(await chat.open(alice, results('c1', 'c2')));
    expect(await resultsOf(third)).to.deep.equal([{ id: 'c2', outcome: 'executed', content: 'c2 painted' }]);
  });

  it('may be called again in the resumed run', async () => {
    const chat = aChat({ model: scriptedModel([{ toolCalls: calls('c1') }, { toolCalls: calls('c2') }, 'Done.']) });
    await eventsOf(opened(await chat.open(alice, { ...says('go'), tools: [paint] })));
    await eventsOf(opened(await chat.open(alice, results('c1'))));
    // Clients post the results of all calls so far.
    const third = opened(await chat.open(alice, results('c1', 'c2')));
    expect(await resultsOf(third)).to.deep.equal([{ id: 'c2', outcome: 'executed', content: 'c2 painted' }]);
    expect(replayed(await chat.open(alice, results('c1', 'c2'))).id).to.equal(third.id);
  });

  it('requires approval first if a hook asks: a result is not an approval', async () => {
    const chat = aChat({ model: scriptedModel([{ toolCalls: calls('c1') }, 'Done.']), hooks: [asks('paint')] });
    const first = opened(await chat.open(alice, { ...says('go'), tools: [paint] }));
    await eventsOf(first);
    expect(first.waiting()[0]).to.include({ client: false, by: 'asks' });
    expect(refused(await chat.open(alice, results('c1'))).code).to.equal('NOTHING_NEW');
    const answers = [{ id: first.waiting()[0]!.id, approved: true }];
    const second = opened(await chat.open(alice, { threadId: 't1', messages: [], answers }));
    expect(await outcomeOf(second)).to.equal('suspended');
    expect(second.waiting()[0]).to.include({ client: true });
    const third = opened(await chat.open(alice, results('c1')));
    expect(await resultsOf(third)).to.deep.equal([{ id: 'c1', outcome: 'executed', content: 'c1 painted' }]);
  });

  it('is denied by hooks like any other, and its result passes postActing', async () => {
    const never = defineHook({ name: 'never', approve: () => verdict.deny('not today') });
    const denied = aChat({ model: scriptedModel([{ toolCalls: calls('c1') }, 'Then not.']), hooks: [never] });
    const one = opened(await denied.open(alice, { ...says('go'), tools: [paint] }));
    expect((await resultsOf(one))[0]).to.include({ outcome: 'denied' });
    const hush = defineHook({
      name: 'hush',
      on: { postActing: (event) => modify(event, { result: { ...event.result, content: 'hushed' } }) },
    });
    const model = scriptedModel([{ toolCalls: calls('c1') }, 'Done.']);
    const chat = aChat({ model, hooks: [hush] });
    await eventsOf(opened(await chat.open(alice, { ...says('go'), tools: [paint] })));
    await eventsOf(opened(await chat.open(alice, results('c1'))));
    expect(JSON.stringify(model.requests[1]?.messages)).to.include('hushed').and.not.include('c1 painted');
  });

  it('ignores a result if a hook has changed the call since', async () => {
    let of = 'first';
    const change = defineHook({
      name: 'change',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { of } } }) },
    });
    const chat = aChat({ model: scriptedModel([{ toolCalls: calls('c1') }, 'Done.']), hooks: [change] });
    await eventsOf(opened(await chat.open(alice, { ...says('go'), tools: [paint] })));
    of = 'second';
    const second = opened(await chat.open(alice, results('c1')));
    expect(await outcomeOf(second)).to.equal('suspended');
    expect(second.waiting()[0]?.input).to.deep.equal({ of: 'second' });
  });

  it('is rejected before the start if its name is taken or invalid', async () => {
    const model = scriptedModel([]);
    const brings = defineHook({ name: 'brings', tools: [scriptedTool({ name: 'paint' })] });
    const chats = [aChat({ model, tools: [scriptedTool({ name: 'paint' })] }), aChat({ model, hooks: [brings] })];
    for (const chat of chats)
      expect(refused(await chat.open(alice, { ...says('go'), tools: [paint] }))).to.include({ status: 400 });
    const odd = { ...says('go'), tools: [{ ...paint, name: 'no such name!' }] };
    expect(refused(await aChat({ model }).open(alice, odd))).to.include({ status: 400, code: 'TOOL_INVALID' });
    expect(model.requests).to.have.length(0);
  });

  it('sends its schema to the model and runs nothing here', async () => {
    const model = scriptedModel([{ toolCalls: [{ id: 'c1', name: 'paint', input: { of: 'a'.repeat(40) } }] }]);
    const inputSchema = { type: 'object', properties: { of: { type: 'string', pattern: '^(a+)+$!' } } } as const;
    const run = opened(await aChat({ model }).open(alice, { ...says('go'), tools: [{ ...paint, inputSchema }] }));
    expect(await outcomeOf(run)).to.equal('suspended');
    expect(model.requests[0]?.tools[0]?.inputSchema).to.deep.equal(inputSchema);
  });
});
