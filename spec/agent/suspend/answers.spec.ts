import { expect } from 'chai';
import { lastValueFrom, take, toArray } from 'rxjs';
import {
  type Answers,
  abort,
  agentTool,
  createAgent,
  createPipeline,
  defineHook,
  finish,
  type Hook,
  type HooklineError,
  type PostCall,
  pendingCalls,
  retry,
  type Snapshot,
  verdict,
} from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';

const pay = (name = 'pay') => scriptedTool({ name, result: 'paid' });
const calls = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name, input: { n: 1 } })) });
const asking = (name: string) => defineHook({ name, approve: () => verdict.suspend(`${name}?`) });

function agentOf(hooks: readonly Hook[], tool = pay(), turns = [calls('pay'), { text: 'done' }], options = {}) {
  return createAgent({
    name: 'a',
    model: scriptedModel([...turns, { text: 'more' }]),
    tools: [tool],
    pipeline: createPipeline(hooks),
    ...options,
  });
}

const snapshotOf = (post: PostCall) => JSON.parse(JSON.stringify(post.snapshot)) as Snapshot;
const yes = (snapshot: Snapshot, input?: { n: number }): Answers =>
  Object.fromEntries(pendingCalls(snapshot).map(({ key }) => [key, { approved: true, ...(input && { input }) }]));
const resumed = async (agent: ReturnType<typeof agentOf>, snapshot: Snapshot, answers: Answers) =>
  (await lastValueFrom(agent.resume(snapshot, answers))) as PostCall;

describe('answers to suspended calls', () => {
  it('satisfy an approver that asks only later, an edited input included', async () => {
    const tool = pay();
    const first = snapshotOf(await agentOf([asking('one')], tool).call('go'));
    const agent = agentOf([asking('one'), asking('two')], tool, [{ text: 'done' }]);
    const second = snapshotOf(await resumed(agent, first, yes(first, { n: 7 })));
    expect(pendingCalls(second).map(({ by }) => by)).to.deep.equal(['two']);
    expect((await resumed(agent, second, yes(second))).outcome).to.equal('completed');
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ n: 7 }]);
  });

  it('run a call once, however often the snapshot is resumed', async () => {
    const tool = pay();
    const ending = defineHook({ name: 'end', on: { postActing: (event) => finish(event) } });
    const agent = agentOf([asking('one'), ending], tool);
    const snapshot = snapshotOf(await agent.call('go', { sessionId: 's' }));
    await resumed(agent, snapshot, yes(snapshot));
    const again = await resumed(agent, snapshot, yes(snapshot));
    expect(again.outcome).to.equal('failed');
    expect(again.reason).to.include('has advanced');
    expect(tool.calls).to.have.length(1);
  });

  it('reach the sub-agent that asked, not one that runs before it', async () => {
    const inner = pay();
    const planner = createAgent({ name: 'planner', model: scriptedModel([{ text: 'plan' }, { text: 'plan' }]) });
    const payer = createAgent({
      name: 'payer',
      model: scriptedModel([calls('pay'), { text: 'paid up' }]),
      tools: [inner],
    });
    const both = { ...agentTool(payer, { name: 'both', description: 'Plans, then pays.' }) };
    both.execute = async (_, { child }) => {
      await lastValueFrom(child(planner, 'plan'));
      return (await lastValueFrom(child(payer, 'pay'))).outcome;
    };
    const hook = defineHook({ name: 'ask', match: { tools: ['pay'] }, approve: () => verdict.suspend('pay?') });
    const agent = createAgent({
      name: 'a',
      model: scriptedModel([{ toolCalls: [{ name: 'both', input: { prompt: 'x' } }] }, { text: 'ok' }]),
      tools: [both],
      pipeline: createPipeline([hook]),
    });
    const snapshot = snapshotOf(await agent.call('go'));
    const events = await lastValueFrom(agent.resume(snapshot, yes(snapshot)).pipe(toArray()));
    expect(events.at(-1)).to.include({ type: 'postCall', outcome: 'completed' });
    expect(inner.calls).to.have.length(1);
  });

  it('keep the remaining budget', async () => {
    const agent = agentOf([asking('one')], pay(), [calls('pay'), calls('pay'), calls('pay')], { maxIterations: 9 });
    const snapshot = snapshotOf(await agent.call('go', { maxIterations: 1 }));
    expect((await resumed(agent, snapshot, yes(snapshot))).outcome).to.equal('exhausted');
  });
});

describe('a run', () => {
  it('that is synchronous stops when its consumer unsubscribes', async () => {
    const tool = pay();
    await lastValueFrom(agentOf([], tool).run('go').pipe(take(1)));
    expect(tool.calls).to.deep.equal([]);
  });

  it('is aborted or failed by hooks on skipped calls', async () => {
    const again = (on: object) =>
      defineHook({
        name: 'again',
        on: { postReasoning: (event) => (event.iteration === 1 ? retry(event) : event), ...on },
      });
    const aborting = again({ postActing: (event: never) => abort(event, 'enough') });
    expect((await agentOf([aborting]).call('go')).outcome).to.equal('aborted');
    const failing = again({
      postActing: () => {
        throw new Error('down');
      },
    });
    expect((await agentOf([failing]).call('go')).outcome).to.equal('failed');
  });

  it('rejects a sub-agent with a tool name that a parent’s hook also uses', async () => {
    const kid = createAgent({ name: 'kid', model: scriptedModel([{ text: 'x' }]), tools: [pay()] });
    const hook = defineHook({ name: 'bank', tools: [pay()] });
    const parent = createAgent({
      name: 'p',
      model: scriptedModel([{ toolCalls: [{ name: 'kid', input: { prompt: 'x' } }] }, { text: 'ok' }]),
      tools: [agentTool(kid, { description: 'Kid.' })],
      pipeline: createPipeline([hook]),
    });
    const events = await lastValueFrom(parent.run('go').pipe(toArray()));
    const error = events.find(({ type }) => type === 'error');
    expect(error?.type === 'error' && error.error.message).to.include('Two tools are named "pay"');
    expect(error?.type === 'error' && error.error.code).to.equal('HOOK_DUPLICATE' satisfies HooklineError['code']);
  });
});

describe('a transcript store that fails once', () => {
  it('loses no messages', async () => {
    const sessions: string[] = [];
    let fails = true;
    const transcript = {
      load: () => [],
      append(_: string, messages: readonly { role: string }[]) {
        if (fails) {
          fails = false;
          throw new Error('busy');
        }
        sessions.push(...messages.map(({ role }) => role));
      },
      truncate: () => {},
    };
    const recover = defineHook({
      name: 'r',
      on: {
        error: (event) =>
          event.phase === 'call'
            ? { ...event, decision: { action: 'respond', message: { role: 'assistant', parts: [] } } }
            : event,
      },
    });
    const agent = createAgent({
      name: 'a',
      model: scriptedModel([{ text: 'hi' }]),
      transcript,
      pipeline: createPipeline([recover]),
    });
    await agent.call('go');
    expect(sessions).to.deep.equal(['user', 'assistant']);
  });
});
