import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { lastValueFrom, map, NEVER, Subject, toArray } from 'rxjs';
import {
  type AgentOptions,
  agentTool,
  createAgent,
  createPipeline,
  type Hook,
  memoryTranscript,
  type SettledEvent,
  type Snapshot,
  userMessage,
} from '../../../lib/index.ts';
import { startLoopRun } from '../../../lib/loops/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { createRuns } from '../../../lib/server/runs/create-runs.ts';
import type { RunsOptions } from '../../../lib/server/runs/runs.ts';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { asking, paying } from './a-house.ts';

const lead = { user: 'lead', approvesFor: '*' } as const;

/** The runs of a program, with an agent that pays. */
function aProgram({ hooks = [], ...agent }: Partial<AgentOptions> & { hooks?: readonly Hook[] } = {}) {
  const runs = createRuns({ store: memoryStore() });
  const pay = scriptedTool({ name: 'pay', result: 'paid' });
  const pipeline = createPipeline(hooks, { log: silentLogger });
  const payer = createAgent({ name: 'payer', model: paying(), tools: [pay], pipeline, runs, ...agent });
  return { runs, pay, pipeline, payer };
}

/** Waits until a value is there. */
async function until<T>(read: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const value = await read();
    if (value !== undefined && (value as unknown) !== false) return value;
    await sleep(2);
  }
}

async function approvalIn(runs: ReturnType<typeof createRuns>) {
  return until(async () => (await runs.approvals(lead))[0]);
}

describe('watched runs', () => {
  it('shows a run that the program starts, with its title, its usage and its events', async () => {
    const { runs, payer } = aProgram();
    const { run } = await payer.call('Pay the rent', { userId: 'ada', sessionId: 's1' });
    const view = await until(async () => (await runs.list('ada', 10)).runs.find(({ state }) => state === 'ended'));
    expect(view).to.include({ runId: run.runId, sessionId: 's1', title: 'Pay the rent', outcome: 'completed' });
    const text = await new Response(await runs.events('ada', run.runId)).text();
    expect([...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type)).to.include.members(['preCall', 'postCall']);
    expect((await runs.list('bob', 10)).runs).to.deep.equal([]);
  });

  it('shows sub-agents inside their parent, and runs of every pipeline of the agent', async () => {
    const { runs } = aProgram();
    const model = scriptedModel([{ toolCalls: [{ name: 'sub', input: { prompt: 'go' } }] }, 'all done', 'again']);
    const sub = createAgent({ name: 'sub', model: scriptedModel(['sub done']), runs });
    const parent = createAgent({ name: 'parent', model, tools: [agentTool(sub, { description: 'Does it.' })], runs });
    const { run } = await parent.call('first', { userId: 'ada' });
    parent.addHook(asking('later'));
    await parent.call('second', { userId: 'ada' });
    const { runs: views } = await until(async () => {
      const page = await runs.list('ada', 10);
      return page.runs.length === 2 && page.runs.every(({ state }) => state === 'ended') ? page : undefined;
    });
    expect(views.map(({ agent, title }) => [agent, title])).to.deep.equal([
      ['parent', 'second'],
      ['parent', 'first'],
    ]);
    const text = await new Response(await runs.events('ada', run.runId)).text();
    expect(text).to.contain('sub done');
  });

  it('shows the runs of a loop of another framework, which has its own approvals', async () => {
    const { runs, pipeline } = aProgram({ hooks: [asking()] });
    const tools = [scriptedTool({ name: 'pay' })];
    const loop = startLoopRun(pipeline, { agent: 'loop', userId: 'ada', runs });
    await loop.begin([userMessage('Pay')]);
    await loop.judge({ id: 'c1', name: 'pay', input: {} }, tools);
    await loop.end();
    const view = await until(async () => (await runs.list('ada', 10)).runs.find(({ state }) => state === 'ended'));
    expect(view).to.include({ agent: 'loop', title: 'Pay', outcome: 'suspended' });
    expect(await runs.approvals(lead)).to.deep.equal([]);
  });

  it('resumes an agent whose call is approved on the page', async () => {
    const { runs, payer, pay } = aProgram({ hooks: [asking()] });
    const { run } = await payer.call('Pay the rent', { userId: 'ada' });
    const { id, hash, user } = await approvalIn(runs);
    expect(user).to.equal('ada');
    const outcome = await runs.answer(lead, id, { action: 'approve', hash });
    expect(outcome.status).to.equal('resumed');
    const ended = await until(async () =>
      (await runs.list('ada', 10)).runs.find(
        ({ resumedFrom, state }) => resumedFrom === run.runId && state === 'ended',
      ),
    );
    expect(ended.outcome).to.equal('completed');
    expect(pay.calls).to.have.length(1);
    expect((await runs.find('ada', run.runId)).resumedBy).to.equal(ended.runId);
    expect((await runs.list('ada', 10)).total).to.equal(1);
    expect((await runs.answer(lead, id, { action: 'deny', hash })).status).to.equal('answered');
  });

  it('resumes again after a second suspension, with the hooks of the run', async () => {
    const { runs, payer, pay } = aProgram({ model: paying(1, 2) });
    await payer.call('Pay twice', { userId: 'ada', hooks: [asking()] });
    const waiting = await until(async () => {
      const all = await runs.approvals(lead);
      return all.length === 2 ? all : undefined;
    });
    for (const { id, hash } of waiting) await runs.answer(lead, id, { action: 'approve', hash });
    await until(async () => (await runs.list('ada', 10)).runs.find(({ outcome }) => outcome === 'completed'));
    expect(pay.calls).to.have.length(2);
  });

  it('ends an approval when the program resumes the run itself', async () => {
    const { runs, payer, pay } = aProgram({ hooks: [asking()] });
    const { run, snapshot } = await payer.call('Pay the rent', { userId: 'ada' });
    await approvalIn(runs);
    const { pending } = snapshot as unknown as Snapshot;
    const answers = Object.fromEntries(pending.map(({ key }) => [key, { approved: true }]));
    const events = await lastValueFrom(payer.resume(snapshot!, answers).pipe(toArray()));
    const { resumedBy } = await until(async () => {
      const view = await runs.find('ada', run.runId);
      return view.resumedBy ? view : undefined;
    });
    expect(resumedBy).to.equal(events[0]!.run.runId);
    expect(await runs.approvals(lead)).to.deep.equal([]);
    expect(pay.calls).to.have.length(1);
  });

  it('ends an approval when the session continues without an answer', async () => {
    const { runs, payer } = aProgram({ hooks: [asking()], transcript: memoryTranscript() });
    const { run } = await payer.call('Pay the rent', { userId: 'ada', sessionId: 's1' });
    await approvalIn(runs);
    await payer.call('Never mind', { userId: 'ada', sessionId: 's1' });
    const view = await until(async () => {
      const now = await runs.find('ada', run.runId);
      return now.state === 'ended' ? now : undefined;
    });
    expect(view).to.include({ outcome: 'cancelled', reason: 'The session continued without an answer.' });
    expect(await runs.approvals(lead)).to.deep.equal([]);
  });

  it('rejects an answer to a run of a program that has ended', async () => {
    const store = memoryStore();
    const model = paying();
    const tools = [scriptedTool({ name: 'pay' })];
    const pipeline = createPipeline([asking()], { log: silentLogger });
    const first = createRuns({ store });
    await createAgent({ name: 'payer', model, tools, pipeline, runs: first }).call('Pay', { userId: 'ada' });
    await approvalIn(first);
    const second = createRuns({ store });
    const { id, hash } = await approvalIn(second);
    const thrown = await second.answer(lead, id, { action: 'approve', hash }).catch((error: Error) => error);
    expect((thrown as Error).message).to.contain('Answer the call where the run was started, or cancel the run.');
    expect(await second.approvals(lead)).to.have.length(1);
  });

  it('cancels and interrupts a run of an agent', async () => {
    const hangs = { ...scriptedTool({ name: 'pay' }), execute: () => NEVER };
    const { runs, payer } = aProgram({ tools: [hangs] });
    const ending = payer.call('Pay', { userId: 'ada' });
    const { runId } = await until(async () => (await runs.list('ada', 10)).runs[0]);
    await runs.interrupt('ada', runId);
    expect(await runs.cancel('ada', runId)).to.include({ state: 'ended', outcome: 'cancelled' });
    expect((await ending).outcome).to.equal('cancelled');
  });

  it('rejects a control that has no effect', async () => {
    const { runs, pipeline } = aProgram();
    const loop = startLoopRun(pipeline, { agent: 'loop', userId: 'ada', runs });
    await loop.begin([userMessage('Hi')]);
    const { runId } = await until(async () => (await runs.list('ada', 10)).runs[0]);
    const thrown = await runs.interrupt('ada', runId).catch((error: Error) => error);
    expect((thrown as Error).message).to.equal('The loop of this run accepts no interrupt. Cancel the run instead.');
    const unpaused = await runs.pause('ada', runId).catch((error: Error) => error);
    expect((unpaused as Error).message).to.equal('The loop of this run cannot be paused. Cancel the run instead.');
    const cancelled = runs.cancel('ada', runId);
    expect(loop.signal.aborted).to.equal(true);
    await loop.end();
    expect(await cancelled).to.include({ state: 'ended', outcome: 'cancelled' });

    const { payer, pipeline: other } = aProgram({ runs: { watch: () => {} }, model: () => NEVER });
    runs.watch(other.events$.pipe(map((event) => structuredClone(event))));
    const running = payer.run('Hi', { userId: 'eve' }).subscribe();
    const copy = await until(async () => (await runs.list('eve', 10)).runs[0]);
    const refused = await runs.cancel('eve', copy.runId).catch((error: Error) => error);
    expect((refused as Error).message).to.contain('belongs to another process');
    const elsewhere = await runs.pause('eve', copy.runId).catch((error: Error) => error);
    expect((elsewhere as Error).message).to.contain('belongs to another process');
    running.unsubscribe();
  });

  it('shows a run once that this server starts on a watched pipeline', async () => {
    const pipeline = createPipeline([], { log: silentLogger });
    const agent = createAgent({ name: 'greeter', model: scriptedModel(['Hello.']), pipeline });
    const runs = createRuns({
      store: memoryStore(),
      start: ({ prompt, user, sessionId }, signal) => agent.run(prompt, { userId: user, sessionId, signal }),
    });
    runs.watch(pipeline);
    runs.watch(agent);
    await runs.start('ada', { prompt: 'Hi' });
    const page = await until(async () => {
      const now = await runs.list('ada', 10);
      return now.runs[0]?.state === 'ended' ? now : undefined;
    });
    await sleep(20);
    expect(page.total).to.equal(1);
    expect((await runs.list('ada', 10)).total).to.equal(1);
  });

  it('ends the active runs of a source that fails or completes without their postCall', async () => {
    for (const end of ['error', 'complete'] as const) {
      const { runs, payer, pipeline } = aProgram({ runs: { watch: () => {} }, model: () => NEVER });
      const source$ = new Subject<SettledEvent>();
      runs.watch(source$);
      const relaying = pipeline.events$.subscribe(source$);
      const running = payer.run('Hi', { userId: 'ada' }).subscribe();
      await until(async () => (await runs.list('ada', 10)).runs[0]);
      relaying.unsubscribe();
      source$[end](new Error('the connection is lost'));
      const view = await until(async () => (await runs.list('ada', 10)).runs.find(({ state }) => state === 'ended'));
      expect(view).to.include({ outcome: 'failed', reason: 'The run ended unexpectedly. See the server log.' });
      running.unsubscribe();
    }
  });

  it('names the owner of runs without a user', async () => {
    const { runs, pipeline, payer } = aProgram({ runs: { watch: () => {} } });
    runs.watch(pipeline, { user: 'bot' });
    await payer.call('Hi');
    expect((await until(async () => (await runs.list('bot', 10)).runs[0])).title).to.equal('Hi');
  });

  it('does not count watched runs for the limits, and does not end them with the server', async () => {
    const options: RunsOptions = {
      store: memoryStore(),
      limits: { running: 1 },
      start: () => lastRun.run('own', { userId: 'ada' }),
    };
    const runs = createRuns(options);
    const lastRun = createAgent({ name: 'own', model: scriptedModel(['Hello.']) });
    const hanging = createAgent({ name: 'hangs', model: () => NEVER, runs });
    const outcomes: string[] = [];
    const running = hanging.run('Hi', { userId: 'ada' }).subscribe(({ type }) => outcomes.push(type));
    await until(async () => (await runs.list('ada', 10)).runs[0]);
    await runs.start('ada', { prompt: 'go' });
    await runs.drain(1_000);
    expect(outcomes).not.to.include('postCall');
    running.unsubscribe();
  });

  it('starts no runs without a port', async () => {
    const runs = createRuns({ store: memoryStore() });
    const thrown = await runs.start('ada', { prompt: 'Hi' }).catch((error: Error) => error);
    expect((thrown as Error).message).to.contain('This server starts no runs.');
  });

  it('rejects a source without events', () => {
    const runs = createRuns({ store: memoryStore() });
    for (const source of [undefined, {}, { events$: 1 }, 'agent'])
      expect(() => runs.watch(source as never)).to.throw('source must be an agent, a pipeline or an Observable');
  });
});
