import { expect } from 'chai';
import { z } from 'zod';
import {
  abort,
  addUsage,
  assistantMessage,
  defineHook,
  defineState,
  finish,
  type JsonObject,
  modify,
  pendingCalls,
  retry,
  type Snapshot,
  snapshotSchema,
} from '../../../lib/index.ts';
import { scriptedTool } from '../../../lib/testing/index.ts';
import { play, stage } from '../../acceptance/scene.ts';
import { ask, call, snapshotOf, tools, turns, yes } from './ask-to-remove.ts';

describe('a suspended run', () => {
  it('ends with a JSON snapshot that matches its schema', () => {
    const snapshot = snapshotOf(stage({ turns, tools: tools(), hooks: [ask()] }).run());
    expect(JSON.parse(JSON.stringify(snapshot))).to.deep.equal(snapshot);
    expect(snapshotSchema.safeParse(snapshot).success).to.equal(true);
  });

  it('lists pending calls: the judged call, its prompt, its approver and its agent', () => {
    const rewrite = defineHook({
      name: 'rewrite',
      match: { tools: ['rm'] },
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { path: '/a' } } }) },
    });
    const snapshot = snapshotOf(stage({ turns, tools: tools(), hooks: [rewrite, ask()] }).run());
    const [pending] = pendingCalls(snapshot);
    expect(pending).to.deep.include({ prompt: 'rm {"path":"/a"}?', by: 'ask', agent: 'MyAgent' });
    expect(pending?.toolCall.input).to.deep.equal({ path: 'a' });
    expect(pending?.judged?.input).to.deep.equal({ path: '/a' });
  });

  it('is not suspended if another call ends the run, and closes pending calls with the reason', () => {
    const stop = defineHook({
      name: 'stop',
      match: { tools: ['ls'] },
      on: { preActing: (event) => abort(event, 'enough') },
    });
    const { events, post } = stage({ turns, tools: tools(), hooks: [ask(), stop] }).run();
    expect(post).to.include({ outcome: 'aborted' });
    const ended = events.filter((event) => event.type === 'postActing');
    expect(ended.map(({ toolCall, outcome }) => `${toolCall.name} ${outcome}`)).to.have.members([
      'ls skipped',
      'rm skipped',
    ]);
    expect(ended.find(({ toolCall }) => toolCall.name === 'rm')?.result.content).to.include(
      'hook "stop" ended the run',
    );
  });

  it('continues in another process: a new agent on an empty store', () => {
    const text = JSON.stringify(snapshotOf(stage({ turns, tools: tools(), hooks: [ask()] }).run()));
    const snapshot = JSON.parse(text);
    const [rm, ls] = tools();
    const other = stage({ turns: ['done'], tools: [rm, ls], hooks: [ask()] });
    const resumed = play(other.agent.resume(snapshot, yes(snapshot)));
    expect(resumed.post.outcome).to.equal('completed');
    expect(other.remembered()).to.deep.equal([
      'user: go',
      'assistant: [rm {"path":"a"}] [ls {}]',
      'tool: [rm done] [ls done]',
      'assistant: done',
    ]);
    expect([rm.calls.length, ls.calls.length]).to.deep.equal([1, 0]);
  });

  it('resumes as a new run from seq 0 that names the original, its session and user', () => {
    const { run, agent } = stage({ turns, tools: tools(), hooks: [ask()] });
    const first = run('go', { userId: 'ann', metadata: { channel: 'mail' } });
    const { events } = play(agent.resume(snapshotOf(first), yes(snapshotOf(first))));
    expect(events[0]).to.deep.include({ type: 'preCall', seq: 0, messages: [] });
    expect(events[0]?.run).to.deep.include({ sessionId: 's', userId: 'ann', metadata: { channel: 'mail' } });
    expect(events[0]?.run.resumedFrom).to.equal(first.post.run.runId);
    expect(events[0]?.run.runId).not.to.equal(first.post.run.runId);
  });

  it('runs an edited input, and the transcript keeps the model’s', () => {
    const [rm, ls] = tools();
    const { run, agent, asked } = stage({ turns, tools: [rm, ls], hooks: [ask()] });
    const snapshot = snapshotOf(run());
    play(agent.resume(snapshot, yes(snapshot, { input: { path: 'b' } })));
    expect(rm.calls.map(({ input }) => input)).to.deep.equal([{ path: 'b' }]);
    expect(asked(1)[1]).to.equal('assistant: [rm {"path":"a"}] [ls {}]');
  });

  it('passes the reason of a denial to the model', () => {
    const [rm, ls] = tools();
    const { run, agent, asked } = stage({ turns, tools: [rm, ls], hooks: [ask()] });
    const snapshot = snapshotOf(run());
    play(agent.resume(snapshot, yes(snapshot, { approved: false, reason: 'keep it' })));
    expect(asked(1).at(-1)).to.equal('tool: [failed: The call was denied by hook "ask": keep it] [ls done]');
    expect(rm.calls).to.be.empty;
  });

  it('keeps a denial even if the approver that asked is gone', () => {
    const snapshot = snapshotOf(stage({ turns, tools: tools(), hooks: [ask()] }).run());
    const [rm, ls] = tools();
    const other = stage({ turns: ['done'], tools: [rm, ls] });
    const resumed = play(other.agent.resume(snapshot, yes(snapshot, { approved: false })));
    expect(resumed.lines('postActing')).to.deep.equal([
      'postActing call_1 denied "The call was denied by hook \\"ask\\": the user declined"',
    ]);
    expect(rm.calls).to.be.empty;
  });

  it('asks again if the call has changed since the answer', () => {
    let path = '/one';
    const rewrite = defineHook({
      name: 'rewrite',
      match: { tools: ['rm'] },
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { path } } }) },
    });
    const [rm, ls] = tools();
    const { run, agent } = stage({ turns, tools: [rm, ls], hooks: [rewrite, ask()] });
    const snapshot = snapshotOf(run());
    path = '/two';
    const second = play(agent.resume(snapshot, yes(snapshot)));
    expect(pendingCalls(snapshotOf(second))[0]?.judged?.input).to.deep.equal({ path: '/two' });
    expect(rm.calls).to.be.empty;
    play(agent.resume(snapshotOf(second), yes(snapshotOf(second))));
    expect(rm.calls.map(({ input }) => input)).to.deep.equal([{ path: '/two' }]);
  });

  it('does not ask again if only the order of the keys has changed', () => {
    let input: JsonObject = { a: 1, b: { c: 2, d: 3 } };
    const rewrite = defineHook({
      name: 'rewrite',
      match: { tools: ['rm'] },
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input } }) },
    });
    const { run, agent } = stage({ turns, tools: tools(), hooks: [rewrite, ask()] });
    const snapshot = snapshotOf(run());
    input = { b: { d: 3, c: 2 }, a: 1 };
    expect(play(agent.resume(snapshot, yes(snapshot))).post.outcome).to.equal('completed');
  });

  it('lets an unasked second approver judge for itself', () => {
    const { run, agent } = stage({ turns, tools: tools(), hooks: [ask()] });
    const snapshot = snapshotOf(run());
    agent.addHook(defineHook({ name: 'strict', approve: () => ({ verdict: 'denied', reason: 'never' }) }));
    expect(play(agent.resume(snapshot, yes(snapshot))).of('postActing')[0]?.outcome).to.equal('denied');
  });

  it('keeps settled results and decisions of the batch', () => {
    const stop = defineHook({
      name: 'stop',
      match: { tools: ['ls'] },
      on: { postActing: (event) => finish(event) },
    });
    const { run, agent, model, remembered } = stage({ turns, tools: tools(), hooks: [ask(), stop] });
    const snapshot = snapshotOf(run());
    expect((snapshot as unknown as Snapshot).settled.map(({ toolName }) => toolName)).to.deep.equal(['ls']);
    expect(play(agent.resume(snapshot, yes(snapshot))).post.outcome).to.equal('finished');
    expect(model.requests).to.have.length(1);
    expect(remembered().at(-1)).to.equal('tool: [rm done] [ls done]');
  });

  it('keeps its state, its usage and its budget', () => {
    const key = defineState({ name: 'seen', schema: z.array(z.string()), initial: () => [] });
    const count = defineHook({
      name: 'count',
      on: { preReasoning: ({ run }, { state }) => state(key).update((seen) => [...seen, run.agent]) },
    });
    const usage = { inputTokens: 3, outputTokens: 2 };
    const { run, agent } = stage({
      turns: [
        { ...(turns[0] as object), usage },
        { text: 'done', usage },
      ],
      tools: tools(),
      hooks: [ask(), count],
      maxIterations: 1,
    });
    const snapshot = snapshotOf(run());
    expect(snapshot).to.deep.include({ state: { seen: ['MyAgent'] }, usage, iteration: 1 });
    const { post } = play(agent.resume(snapshot, yes(snapshot)));
    expect(post).to.deep.include({ outcome: 'exhausted', usage: addUsage(usage, usage) });
  });

  it('rejects state that no longer matches its schema', () => {
    const key = (schema: z.ZodType<unknown>) => defineState<unknown>({ name: 'n', schema, initial: () => 'text' });
    const use = (schema: z.ZodType<unknown>) =>
      defineHook({ name: 'use', on: { preCall: (_, { state }) => void state(key(schema)).get() } });
    const snapshot = snapshotOf(stage({ turns, tools: tools(), hooks: [ask(), use(z.string())] }).run());
    const other = stage({ turns: ['done'], tools: tools(), hooks: [ask(), use(z.number())] });
    const { of: typed, post } = play(other.agent.resume(snapshot, yes(snapshot)));
    expect(post.outcome).to.equal('failed');
    expect(typed('error')[0]?.error.message).to.include('State "n" from the snapshot is invalid');
  });

  it('stores labels for sealed values and seals again on resume', () => {
    const seal = defineHook({
      name: 'seal',
      match: { tools: ['rm'] },
      on: {
        preActing: (event, context) =>
          modify(event, {
            toolCall: {
              ...event.toolCall,
              input: { ...event.toolCall.input, token: context.seal('token', 's3cret-value') },
            },
          }),
      },
    });
    const [rm, ls] = tools();
    const { run, agent } = stage({ turns, tools: [rm, ls], hooks: [seal, ask()] });
    const first = run();
    const snapshot = JSON.parse(JSON.stringify(snapshotOf(first)));
    expect(JSON.stringify(snapshot)).not.to.include('s3cret');
    expect(pendingCalls(snapshot)[0]?.judged?.input['token']).to.deep.include({ $sealed: 'token' });
    expect(play(agent.resume(snapshot, yes(snapshot))).post.outcome).to.equal('completed');
    expect(rm.calls.map(({ input }) => input)).to.deep.equal([{ path: 'a', token: 's3cret-value' }]);
  });

  it('survives a postCall hook that changes every message', () => {
    const sign = defineHook({
      name: 'sign',
      on: { postCall: (event) => modify(event, { message: assistantMessage('signed') }) },
    });
    const { run, agent, remembered } = stage({ turns, tools: tools(), hooks: [ask(), sign] });
    const snapshot = snapshotOf(run());
    expect(play(agent.resume(snapshot, yes(snapshot))).post.outcome).to.equal('completed');
    expect(remembered().at(-1)).to.equal('assistant: signed');
  });

  it('is suspended for every listener, even if the signal aborts in its last hook', () => {
    const controller = new AbortController();
    const aborter = defineHook({ name: 'aborter', on: { postCall: () => void controller.abort() } });
    const { run } = stage({ turns, tools: tools(), hooks: [ask(), aborter] });
    expect(run('go', { signal: controller.signal }).post).to.deep.include({ outcome: 'suspended' });
  });

  it('may be stopped by a hook on resume, with every call closed', () => {
    const { run, agent, remembered } = stage({ turns, tools: tools(), hooks: [ask()] });
    const snapshot = snapshotOf(run());
    agent.addHook(
      defineHook({
        name: 'closed',
        on: { preCall: (event) => ({ ...event, decision: { action: 'abort', reason: 'closed for today' } }) },
      }),
    );
    expect(play(agent.resume(snapshot, yes(snapshot))).post.outcome).to.equal('aborted');
    expect(remembered().at(-1)).to.match(/^tool: \[failed: .*has not been resumed.*\] \[ls done\]$/);
  });

  it('keeps its used retries: a resumed run has only the rest', () => {
    const again = defineHook({
      name: 'again',
      on: { error: (event) => (event.phase === 'acting' ? retry(event) : undefined) },
    });
    const broken = ['ls', 'rm'].map((name) => scriptedTool({ name, error: 'broken' }));
    const both = { toolCalls: [call('ls'), call('rm')] };
    const settings = { maxRetries: 3 };
    const { run, agent } = stage({ turns: [both, 'done'], tools: broken, hooks: [ask(), again], settings });
    const snapshot = JSON.parse(JSON.stringify(snapshotOf(run())));
    expect(snapshot.retries).to.equal(3);
    play(agent.resume(snapshot, yes(snapshot)));
    expect(broken.map(({ calls }) => calls.length)).to.deep.equal([4, 1]);
    const { retries: _, ...older } = snapshot as JsonObject;
    const [, rm] = broken;
    const other = stage({ turns: ['done'], tools: broken, hooks: [ask(), again], settings });
    play(other.agent.resume(older, yes(older)));
    expect(rm?.calls).to.have.length(5);
  });
});
