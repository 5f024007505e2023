import { Command, MemorySaver } from '@langchain/langgraph';
import { expect } from 'chai';
import { type HookDefinition, modify, verdict } from '../../../lib/index.ts';
import { pendingCallStore } from '../../../lib/loops/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { go, looksAt, lookTool, mild, type Result, scene, thread } from './scene.ts';

const asksForX: HookDefinition = {
  name: 'asks',
  approve: ({ toolCall }) => (toolCall.input['at'] === 'x' ? verdict.suspend('Really x?') : verdict.allow()),
};

/** Answers to the questions of a result, in order. */
function answers({ __interrupt__: asked = [] }: Result, ...given: readonly unknown[]) {
  return new Command({ resume: Object.fromEntries(given.map((one, at) => [asked[at]?.id ?? '', one])) });
}

function prompts({ __interrupt__: asked = [] }: Result): string[] {
  return asked.map(({ value }) => value.prompt);
}

describe('a suspended call in a LangChain agent', () => {
  it('waits next to an allowed call, which runs once', async () => {
    const ran: string[] = [];
    const { agent, recorded } = scene({
      hooks: [asksForX],
      turns: [looksAt('x', 'y'), mild],
      tools: [lookTool('look', ran)],
    });
    const asked = await agent.invoke(go, thread);
    expect([prompts(asked), ran]).to.deep.equal([['Really x?'], ['look y']]);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['suspended']);
    const told = await agent.invoke(answers(asked, true), thread);
    expect([ran, told.messages.at(-1)?.content]).to.deep.equal([['look y', 'look x'], 'It is mild.']);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['suspended', 'completed']);
    expect(recorded.of('preActing').map(({ toolCall }) => toolCall.id)).to.deep.equal(['c1', 'c2', 'c1']);
    const [first, second] = recorded.of('preCall');
    expect(second?.run.resumedFrom).to.equal(first?.run.runId);
  });

  it('stays pending as judged if only another call is answered', async () => {
    const ran: string[] = [];
    const asks: HookDefinition = {
      name: 'asks',
      on: {
        preActing: (event) =>
          modify(event, { toolCall: { ...event.toolCall, input: { at: `/safe/${event.toolCall.input['at']}` } } }),
      },
      approve: ({ toolCall }) => verdict.suspend(`Look at ${toolCall.input['at']}?`),
    };
    const { agent, recorded } = scene({
      hooks: [asks],
      turns: [looksAt('x', 'y', 'z'), mild],
      tools: [lookTool('look', ran)],
    });
    const asked = await agent.invoke(go, thread);
    expect(prompts(asked)).to.deep.equal(['Look at /safe/x?', 'Look at /safe/y?', 'Look at /safe/z?']);
    const again = await agent.invoke(answers(asked, { approved: true }), thread);
    expect([prompts(again).length, ran]).to.deep.equal([2, ['look /safe/x']]);
    const told = await agent.invoke(answers(again, true, { approved: false, reason: 'not there' }), thread);
    expect([ran, told.messages.at(-1)?.content]).to.deep.equal([['look /safe/x', 'look /safe/y'], 'It is mild.']);
    expect(told.messages.filter(({ content }) => content.includes('not there'))).to.have.length(1);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal([
      'suspended',
      'suspended',
      'completed',
    ]);
  });

  it('gets one prompt from all approvers', async () => {
    const ran: string[] = [];
    const asks = (name: string): HookDefinition => ({ name, approve: () => verdict.suspend(`${name}?`) });
    const hooks = [asks('first'), asks('second')];
    const { agent } = scene({ hooks, turns: [looksAt('x'), mild], tools: [lookTool('look', ran)] });
    const asked = await agent.invoke(go, thread);
    expect([prompts(asked), ran]).to.deep.equal([['first?\nsecond?'], []]);
    const told = await agent.invoke(answers(asked, true), thread);
    expect([told.__interrupt__, ran]).to.deep.equal([undefined, ['look x']]);
  });

  it('gets another prompt from an approver that asks later, and no answer covers another prompt', async () => {
    const ran: string[] = [];
    let judged = 0;
    const later = () => (++judged > 1 ? verdict.suspend('second?') : verdict.allow());
    const { agent } = scene({
      hooks: [
        { name: 'first', approve: () => verdict.suspend('first?') },
        { name: 'second', approve: later },
      ],
      turns: [looksAt('x'), mild],
      tools: [lookTool('look', ran)],
    });
    const one = await agent.invoke(go, thread);
    const two = await agent.invoke(answers(one, true), thread);
    expect([prompts(one), prompts(two), ran]).to.deep.equal([['first?'], ['second?'], []]);
    const still = await agent.invoke(null, thread);
    expect([prompts(still), ran]).to.deep.equal([['second?'], []]);
    const told = await agent.invoke(answers(still, false), thread);
    expect([told.__interrupt__, ran]).to.deep.equal([undefined, []]);
  });

  it('continues in another process as judged there', async () => {
    const store = memoryStateStore();
    const checkpointer = new MemorySaver();
    const ran: string[] = [];
    const process = (hooks: readonly HookDefinition[], turn: readonly object[]) =>
      scene({
        hooks,
        turns: turn,
        tools: [lookTool('look', ran)],
        options: { pendingCalls: pendingCallStore(store) },
        agent: { checkpointer },
      });
    const moves: HookDefinition = {
      name: 'moves',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { at: '/safe' } } }) },
    };
    const asks: HookDefinition = { name: 'asks', approve: () => verdict.suspend('Really?') };
    const here = process([moves, asks], [looksAt('x')]);
    const asked = await here.agent.invoke(go, thread);
    const there = process([moves, asks], [mild]);
    const told = await there.agent.invoke(answers(asked, true), thread);
    expect([ran, told.messages.at(-1)?.content]).to.deep.equal([['look /safe'], 'It is mild.']);
    expect(there.recorded.of('preCall')[0]?.run.resumedFrom).to.equal(here.recorded.of('preCall')[0]?.run.runId);
  });

  it('without shared pending calls runs only if it equals the shown call', async () => {
    const ran: string[] = [];
    const moves: HookDefinition = {
      name: 'moves',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { at: '/safe' } } }) },
    };
    const asks: HookDefinition = { name: 'asks', approve: () => verdict.suspend('Really?') };
    for (const [hooks, runs] of [
      [[asks], ['look x']],
      [[moves, asks], []],
    ] as const) {
      ran.length = 0;
      const checkpointer = new MemorySaver();
      const agents = [[looksAt('x')], [mild]].map((turns) =>
        scene({ hooks, turns, tools: [lookTool('look', ran)], agent: { checkpointer } }),
      );
      const asked = (await agents[0]?.agent.invoke(go, thread)) as Result;
      const told = (await agents[1]?.agent.invoke(answers(asked, true), thread)) as Result;
      expect([ran, prompts(told)]).to.deep.equal([runs, runs.length > 0 ? [] : ['Really?']]);
    }
  });

  for (const [what, why, agent] of [
    ['has no checkpointer', 'no checkpointer', { checkpointer: undefined }],
    ['runs all calls of a message at once', 'version "v1"', { version: 'v1' }],
  ] as const) {
    it(`is denied if the agent ${what}`, async () => {
      const ran: string[] = [];
      const { agent: hooked, recorded } = scene({
        hooks: [asksForX],
        turns: [looksAt('x', 'y'), mild],
        tools: [lookTool('look', ran)],
        agent,
      });
      const told = await hooked.invoke(go, thread);
      expect([ran, told.messages.at(-1)?.content]).to.deep.equal([['look y'], 'It is mild.']);
      expect(told.messages.find(({ status }) => status === 'error')?.content)
        .to.include(why)
        .and.include('Really x?');
      expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.have.members(['denied', 'executed']);
    });
  }

  for (const [what, answer, ran] of [
    ['yes', { decisions: [{ type: 'approve' }] }, ['look x']],
    ['edit', { decisions: [{ type: 'edit', editedAction: { name: 'look', args: { at: 'y' } } }] }, ['look y']],
    ['no', { decisions: [{ type: 'reject', message: 'not now' }] }, []],
    ['invalid answer, as a no,', 'sure', []],
  ] as const) {
    it(`accepts the ${what} of a UI for LangChain's own approvals`, async () => {
      const done: string[] = [];
      const { agent } = scene({ hooks: [asksForX], turns: [looksAt('x'), mild], tools: [lookTool('look', done)] });
      const asked = await agent.invoke(go, thread);
      expect(asked.__interrupt__?.[0]?.value).to.deep.include({
        actionRequests: [{ name: 'look', args: { at: 'x' }, description: 'Really x?' }],
      });
      const told = await agent.invoke(answers(asked, answer), thread);
      expect([done, told.messages.at(-1)?.content]).to.deep.equal([ran, 'It is mild.']);
      if (what === 'no') expect(JSON.stringify(told.messages)).to.include('not now');
      if (answer === 'sure') expect(JSON.stringify(told.messages)).to.include('the answer is invalid');
    });
  }

  it('has its postCall without hookedAgent too, and continues', async () => {
    const ran: string[] = [];
    const { bare, recorded } = scene({
      hooks: [asksForX],
      turns: [looksAt('x', 'y'), mild],
      tools: [lookTool('look', ran)],
    });
    const asked = await bare.invoke(go, thread);
    await bare.invoke(answers(asked, true), thread);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['suspended', 'completed']);
    expect(ran).to.deep.equal(['look y', 'look x']);
  });
});
