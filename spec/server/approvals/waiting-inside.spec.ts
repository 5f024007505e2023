import { expect } from 'chai';
import { auditLog, createInbox, dangerousConfirmation, permission } from 'hookline/hooks';
import { memoryRunStore } from 'hookline/server';
import { pino } from 'pino';
import { z } from 'zod';
import type { PreActing } from '../../../lib/events/pre-acting.ts';
import { agentTool, createAgent, createPipeline, defineTool, type Tool } from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { aHouse, paying } from '../runs/a-house.ts';
import { framesOf } from '../sse-frames.ts';

const moment = () => new Promise((resolve) => setTimeout(resolve, 10));

/** Creates runs whose calls require approval by the inbox, and their results. */
function aDesk(timeoutMs = 60_000, calls = 1, tool?: Tool) {
  const inbox = createInbox();
  const logged: Record<string, unknown>[] = [];
  const audited: string[] = [];
  const pay = scriptedTool({ name: 'pay', permission: 'write', result: 'paid' });
  const toolCalls = Array.from({ length: calls }, (_, amount) => ({ name: 'pay', input: { amount } }));
  const house = aHouse({
    model: scriptedModel([{ toolCalls }, { text: 'done' }]),
    tools: [tool ?? pay],
    ...(tool && { knowsTools: true }),
    hooks: [
      permission({ ask: ['pay'], askBy: 'inbox', timeoutMs }, { inbox }),
      auditLog({ logger: pino({}, { write: (line: string) => void audited.push(line) }) }),
    ],
    inbox,
    log: pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    runStore: memoryRunStore(),
  });
  async function waiting(headers = {}) {
    for (let tries = 0; tries < 500; tries++) {
      const { approvals } = (await house.get('/api/approvals', headers)).json;
      if (approvals.length > 0) return approvals;
      await moment();
    }
    throw new Error('no call waits');
  }
  async function ended(runId: string) {
    for (;;) {
      const { json } = await house.get(`/api/runs/${runId}`);
      if (json.state === 'ended') return json;
      await moment();
    }
  }
  return { ...house, inbox, pay, waiting, ended, audited, logged };
}

describe('a pending call of an active run', () => {
  it('is listed exactly, and runs after approval, in the same run', async () => {
    const { post, get, waiting, ended, pay } = aDesk();
    const { json: run } = await post('/api/runs', { prompt: 'go' });
    const [call] = await waiting();
    expect(call).to.include({ runId: run.runId, user: 'alice', tool: 'pay', by: 'permission', inside: true });
    expect(call.input).to.deep.equal({ amount: 0 });
    expect(call.prompt).to.include('pay');
    expect(Date.parse(call.expiresAt) - Date.parse(call.suspendedAt)).to.equal(60_000);
    // An event is recorded a moment after it happens.
    while ((await get(`/api/approvals/${call.id}`)).json.events.length === 0) await moment();
    const said = await post(`/api/approvals/${call.id}`, { action: 'approve', hash: call.hash });
    expect(said.json).to.deep.equal({ status: 'continued', runId: run.runId });
    expect(await ended(run.runId)).to.include({ outcome: 'completed' });
    expect(pay.calls.length).to.equal(1);
    expect((await get('/api/approvals')).json.approvals).to.deep.equal([]);
  });

  it('does not run after a denial, and the model receives the reason', async () => {
    const { post, get, waiting, ended, pay } = aDesk();
    const { json: run } = await post('/api/runs', { prompt: 'go' });
    const [call] = await waiting();
    await post(`/api/approvals/${call.id}`, { action: 'deny', hash: call.hash, reason: 'too dear' });
    await ended(run.runId);
    expect(pay.calls.length).to.equal(0);
    const result = framesOf((await get(`/api/runs/${run.runId}/events`)).text).find(
      ({ event }) => event === 'postActing',
    );
    expect(JSON.stringify(result?.data['result'])).to.include('too dear');
  });

  it('accepts one answer, and the others get its author', async () => {
    const { post, waiting } = aDesk();
    await post('/api/runs', { prompt: 'go' });
    const [call] = await waiting();
    const bob = { 'x-user': 'bob', 'x-approves-for': 'alice' };
    const answers = await Promise.all(
      [{}, bob].map((headers) => post(`/api/approvals/${call.id}`, { action: 'approve', hash: call.hash }, headers)),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    const late = await post(`/api/approvals/${call.id}`, { action: 'deny', hash: call.hash }, bob);
    expect([late.status, late.json.winner.action, late.json.winner.by]).to.deep.equal([409, 'approve', 'alice']);
  });

  it('is invisible to other users, and accepts answers for this exact call only', async () => {
    const { post, get, waiting, inbox } = aDesk();
    await post('/api/runs', { prompt: 'go' });
    const [call] = await waiting();
    const path = `/api/approvals/${call.id}`;
    const bob = { 'x-user': 'bob' };
    expect((await get('/api/approvals', bob)).json.approvals).to.deep.equal([]);
    expect((await get(path, bob)).status).to.equal(404);
    expect((await post(path, { action: 'approve', hash: call.hash }, bob)).status).to.equal(404);
    const other = await post(path, { action: 'approve', hash: '0'.repeat(64) });
    expect([other.status, other.json.current.hash]).to.deep.equal([409, call.hash]);
    expect(inbox.list()).to.have.lengthOf(1);
    expect((await post(path, { action: 'deny', hash: call.hash })).status).to.equal(200);
    expect((await post(path, { action: 'approve', hash: call.hash }, bob)).status).to.equal(404);
  });

  it('runs with edited arguments of the answer, and the log records the edit', async () => {
    const { post, waiting, ended, pay, logged } = aDesk();
    const { json: run } = await post('/api/runs', { prompt: 'go' });
    const [call] = await waiting();
    const said = await post(`/api/approvals/${call.id}`, { action: 'approve', hash: call.hash, input: { amount: 9 } });
    expect(said.json).to.deep.equal({ status: 'continued', runId: run.runId });
    expect(await ended(run.runId)).to.include({ outcome: 'completed' });
    expect(pay.calls.map(({ input }) => input)).to.deep.equal([{ amount: 9 }]);
    expect(logged.find(({ msg }) => msg === 'an approval was answered')).to.include({
      action: 'approve',
      edited: true,
    });
  });

  it('stays pending after an edited input that does not match the schema', async () => {
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.strictObject({ amount: z.number() }),
      permission: 'write',
      execute: ({ amount }) => `paid ${amount}`,
    });
    const { post, waiting, ended } = aDesk(60_000, 1, pay);
    const { json: run } = await post('/api/runs', { prompt: 'go' });
    const [call] = await waiting();
    const answer = (input: object) => post(`/api/approvals/${call.id}`, { action: 'approve', hash: call.hash, input });
    const { status, json } = await answer({ amount: 'much' });
    expect([status, json.error.message]).to.deep.equal([
      422,
      /^The edited input is invalid; the call is still pending\. .*amount.*/s.exec(json.error.message)?.[0],
    ]);
    expect((await waiting()).map(({ id }: { id: string }) => id)).to.deep.equal([call.id]);
    expect((await answer({ amount: 7 })).json).to.deep.equal({ status: 'continued', runId: run.runId });
    expect(await ended(run.runId)).to.include({ outcome: 'completed' });
  });

  it('is denied at the timeout, and no longer pending if its run is cancelled', async () => {
    const hasty = aDesk(20);
    const { json: first } = await hasty.post('/api/runs', { prompt: 'go' });
    await hasty.ended(first.runId);
    expect([hasty.pay.calls.length, hasty.inbox.list().length]).to.deep.equal([0, 0]);
    const { post, waiting, inbox, pay } = aDesk();
    const { json: run } = await post('/api/runs', { prompt: 'go' });
    await waiting();
    await post(`/api/runs/${run.runId}/cancel`, {});
    expect([inbox.list().length, pay.calls.length]).to.deep.equal([0, 0]);
  });

  it('records the answerer in the events and the audit, with token and address for the operator', async () => {
    for (const action of ['approve', 'deny'] as const) {
      const { post, get, waiting, ended, audited, logged } = aDesk();
      const { json: run } = await post('/api/runs', { prompt: 'go' });
      const [call] = await waiting();
      const bob = { 'x-user': 'bob', 'x-approves-for': 'alice', 'x-token': 'phone' };
      await post(`/api/approvals/${call.id}`, { action, hash: call.hash, reason: 'as agreed' }, bob);
      await ended(run.runId);
      const { text } = await get(`/api/runs/${run.runId}/events`);
      const { notes } = framesOf(text).find(({ event }) => event === 'preActing')!.data as unknown as PreActing;
      const message = action === 'approve' ? 'Approved by bob.' : 'Denied by bob.';
      expect(notes?.map(({ data: _, ...note }) => note)).to.deep.equal([
        { by: 'permission', code: 'answered', message },
      ]);
      const data = notes?.[0]?.data as { action: string; by: string; at: string };
      expect(data).to.include({ action, by: 'bob', reason: 'as agreed' });
      expect(Date.parse(data.at)).to.be.at.least(Date.parse(call.suspendedAt));
      const note = audited.map((line) => JSON.parse(line)).find(({ code }) => code === 'answered');
      expect(JSON.stringify(note)).to.include(message).and.include('as agreed');
      const [line] = logged.filter(({ msg }) => msg === 'an approval was answered');
      expect(line).to.include({ approval: call.id, by: 'bob', token: 'phone', address: '127.0.0.1', action });
      expect(text).to.not.include('phone');
    }
  });

  it('belongs to the visible run, also in sub-agents and under another user ID', async () => {
    const inbox = createInbox();
    const hooks = [permission({ ask: ['pay'], default: 'allow', askBy: 'inbox' }, { inbox })];
    const pay = scriptedTool({ name: 'pay', result: 'paid' });
    const child = createAgent({ name: 'child', model: paying(), tools: [pay], pipeline: createPipeline(hooks) });
    const model = scriptedModel([{ toolCalls: [{ name: 'child', input: { prompt: 'pay' } }] }, { text: 'done' }]);
    const tools = [agentTool(child, { description: 'Asks child.' })];
    const agent = createAgent({ name: 'a', model, tools, pipeline: createPipeline(hooks) });
    const { post, get } = aHouse({
      inbox,
      runStore: memoryRunStore(),
      start: ({ prompt }) => agent.run(prompt, { userId: 'somebody' }),
    });
    const { json: run } = await post('/api/runs', { prompt: 'go' });
    while (inbox.list().length === 0) await moment();
    const [call] = (await get('/api/approvals')).json.approvals;
    expect(call).to.include({ runId: run.runId, user: 'alice', agent: 'child', tool: 'pay' });
    while ((await get(`/api/approvals/${call.id}`)).json.events.length === 0) await moment();
    const { json } = await post(`/api/approvals/${call.id}`, { action: 'approve', hash: call.hash });
    expect(json).to.deep.equal({ status: 'continued', runId: run.runId });
  });

  it('is streamed to clients when it becomes pending and when it ends', async () => {
    const { post, app, waiting, runs } = aDesk();
    const body = (await app.request('/api/activity')).body as ReadableStream<Uint8Array>;
    await post('/api/runs', { prompt: 'go' });
    const [call] = await waiting();
    await post(`/api/approvals/${call.id}`, { action: 'approve', hash: call.hash });
    await runs.drain(1_000);
    const frames = framesOf(await new Response(body).text());
    const told = frames.filter(({ event }) => event === 'approval' || event === 'answered');
    expect(told.map(({ event, data }) => [event, data['id'], data['by']])).to.deep.equal([
      ['approval', call.id, 'permission'],
      ['answered', call.id, 'alice'],
    ]);
  });

  it('is answered separately from others', async () => {
    const { post, get, waiting, ended, pay } = aDesk(60_000, 2);
    const { json: run } = await post('/api/runs', { prompt: 'go' });
    for (let answered = 0; answered < 2; answered++) {
      const [call] = await waiting();
      const action = call.input.amount === 1 ? 'approve' : 'deny';
      await post(`/api/approvals/${call.id}`, { action, hash: call.hash });
    }
    await ended(run.runId);
    expect(pay.calls.map(({ input }) => input)).to.deep.equal([{ amount: 1 }]);
    expect((await get('/api/approvals')).json.approvals).to.deep.equal([]);
  });
});

describe('a hook that asks by inbox', () => {
  it('requires an inbox', () => {
    for (const make of [() => permission({ askBy: 'inbox' }), () => dangerousConfirmation({ askBy: 'inbox' })])
      expect(make).to.throw('needs an inbox').with.property('code', 'OPTIONS_INVALID');
  });

  it('uses that of the host if configured', () => {
    expect(permission({ ask: ['*'] }, { ask: 'inbox', inbox: createInbox() }).name).to.equal('permission');
    expect(dangerousConfirmation({ askBy: 'inbox' }, { inbox: createInbox() }).name).to.equal('dangerous-confirmation');
  });
});
