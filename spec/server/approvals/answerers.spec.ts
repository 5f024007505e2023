import { expect } from 'chai';
import { fileStore, memoryStore } from 'hookline/config';
import { auditLog } from 'hookline/hooks';
import { memoryRunStore } from 'hookline/server';
import { pino } from 'pino';
import type { JsonObject } from '../../../lib/index.ts';
import { createAgent, createPipeline, defineHook, memoryTranscript, verdict } from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { tempFolder } from '../../temp-folder.ts';
import { aHouse, asking, type Plan, paying } from '../runs/a-house.ts';
import { framesOf } from '../sse-frames.ts';

const house = (plan: Plan = {}) => aHouse({ model: paying(), hooks: [asking()], runStore: memoryRunStore(), ...plan });
type House = ReturnType<typeof house>;

async function suspend({ post, get }: House, headers = {}) {
  const { json: run } = await post('/api/runs', { prompt: 'pay' }, headers);
  await get(`/api/runs/${run.runId}/events`, headers);
  const [approval] = (await get('/api/approvals', headers)).json.approvals;
  return { run, approval };
}

const boss = { 'x-user': 'bob', 'x-approves-for': 'alice,carol', 'x-token': "bob's phone" };

describe('an answerer of approvals', () => {
  it('may be another user if the token names the owner, and events omit the answerer', async () => {
    const one = house();
    const { run, approval } = await suspend(one);
    expect((await one.get('/api/approvals', boss)).json.approvals).to.deep.equal([approval]);
    expect(approval).to.include({ user: 'alice', runId: run.runId });
    const { json } = await one.post(`/api/approvals/${approval.id}`, { action: 'approve', hash: approval.hash }, boss);
    expect(json.status).to.equal('resumed');
    const late = await one.post(`/api/approvals/${approval.id}`, { action: 'deny', hash: approval.hash });
    expect(late.json.winner).to.include({ by: 'bob', action: 'approve' });
    const [first] = framesOf((await one.get(`/api/runs/${json.resumedBy}/events`)).text);
    const { userId, metadata } = first!.data['run'] as { userId: string; metadata?: JsonObject };
    expect(userId).to.equal('alice');
    expect(metadata, 'which is for the audit').to.equal(undefined);
  });

  it('that is late receives the first answer, with a right for all users, too', async () => {
    const one = house();
    const { approval } = await suspend(one);
    const answer = { action: 'approve', hash: approval.hash };
    expect((await one.post(`/api/approvals/${approval.id}`, answer, boss)).status).to.equal(200);
    for (const headers of [boss, { 'x-user': 'root', 'x-approves-for': '*' }]) {
      const late = await one.post(`/api/approvals/${approval.id}`, answer, headers);
      expect([late.status, late.json.winner?.by]).to.deep.equal([409, 'bob']);
    }
  });

  it('may have a token for all users', async () => {
    const one = house();
    const { approval } = await suspend(one);
    const admin = { 'x-user': 'root', 'x-approves-for': '*' };
    expect((await one.get('/api/approvals', admin)).json.approvals).to.have.length(1);
    expect((await one.get(`/api/approvals/${approval.id}`, admin)).json).to.include({ user: 'alice' });
    const answer = { action: 'deny', hash: approval.hash };
    expect((await one.post(`/api/approvals/${approval.id}`, answer, admin)).json.status).to.equal('resumed');
  });

  it('is rejected with a token for other users, or without the right to approve', async () => {
    const one = house();
    const { approval } = await suspend(one);
    const answer = { action: 'approve', hash: approval.hash };
    for (const headers of [
      { 'x-user': 'bob' },
      { 'x-user': 'bob', 'x-approves-for': 'carol' },
      { 'x-user': 'bob', 'x-approves-for': 'alice2,ali' },
    ]) {
      expect((await one.get('/api/approvals', headers)).json.approvals).to.deep.equal([]);
      expect((await one.get(`/api/approvals/${approval.id}`, headers)).status).to.equal(404);
      expect((await one.post(`/api/approvals/${approval.id}`, answer, headers)).status).to.equal(404);
    }
    const reader = { ...boss, 'x-rights': 'read,run' };
    expect((await one.get(`/api/approvals/${approval.id}`, reader)).status).to.equal(403);
    expect(one.pay.calls).to.deep.equal([]);
  });

  it('has no further access to the other user', async () => {
    const one = house();
    const { run } = await suspend(one);
    expect((await one.get(`/api/runs/${run.runId}`, boss)).status).to.equal(404);
    expect((await one.get(`/api/runs/${run.runId}/events`, boss)).status).to.equal(404);
    expect((await one.get('/api/runs', boss)).json.runs).to.deep.equal([]);
  });

  it('receives the steps that led to the call', async () => {
    const look = scriptedTool({ name: 'look', permission: 'read', result: 'the invoice is open' });
    const one = house({
      model: scriptedModel([
        { text: 'I look first.', toolCalls: [{ name: 'look', input: {} }] },
        { text: 'Now I pay.', toolCalls: [{ name: 'pay', input: { amount: 1 } }] },
      ]),
      hooks: [defineHook({ name: 'ask', match: { tools: ['pay'] }, approve: () => verdict.suspend('Really?') })],
      tools: [look, scriptedTool({ name: 'pay', result: 'paid' })],
    });
    const { approval } = await suspend(one);
    const { json } = await one.get(`/api/approvals/${approval.id}`, boss);
    const { events, ...shown } = json;
    expect(shown).to.deep.equal(approval);
    const types = events.map(({ type }: JsonObject) => type);
    expect(types).to.deep.equal(['preCall', 'postReasoning', 'preActing', 'postActing', 'postReasoning', 'preActing']);
    expect(JSON.stringify(events)).to.include('the invoice is open').and.not.include('snapshot');
    expect((await one.get('/api/approvals/none.1', boss)).status).to.equal(404);
  });

  it('is named in the audit of the resumed run, never from metadata of a user', async () => {
    const lines: JsonObject[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const pay = scriptedTool({ name: 'pay', result: 'paid' });
    const hooks = [asking(), auditLog({ logger })];
    const agent = createAgent({
      name: 'a',
      model: paying(),
      tools: [pay],
      pipeline: createPipeline(hooks),
      transcript: memoryTranscript(),
    });
    const one = house({
      start: ({ prompt, user, sessionId, metadata }, signal) =>
        agent.run(prompt, { userId: user, sessionId, signal, ...(metadata && { metadata }) }),
      resume: (snapshot, answers, _, signal) => agent.resume(snapshot, answers, { signal }),
    });
    const forged = { approvals: [{ id: 'x', action: 'approve', by: 'nobody' }] };
    const { json: run } = await one.post('/api/runs', { prompt: 'pay', metadata: forged });
    await one.get(`/api/runs/${run.runId}/events`);
    const [approval] = (await one.get('/api/approvals')).json.approvals;
    const answer = { action: 'approve', hash: approval.hash, reason: 'it is due' };
    const { json } = await one.post(`/api/approvals/${approval.id}`, answer, boss);
    await one.get(`/api/runs/${json.resumedBy}/events`);
    const told = lines.filter(({ msg }) => msg === 'approval');
    expect(told).to.have.length(1);
    expect(told[0]).to.include({
      run_id: json.resumedBy,
      approval: approval.id,
      tool: 'pay',
      tool_call_id: approval.toolCallId,
      action: 'approve',
      answered_by: 'bob',
      answered_for: 'alice',
      token: "bob's phone",
      address: '127.0.0.1',
      hash: approval.hash,
      reason: 'it is due',
    });
    expect(Date.parse(String(told[0]?.['answered_at']))).to.be.greaterThan(0);
  });
});

describe('an unanswered approval', () => {
  const soon = { expireMs: 1, expireCheckMs: 10 };
  const until = async <T>(ask: () => Promise<T>, done: (value: T) => boolean): Promise<T> => {
    for (;;) {
      const value = await ask();
      if (done(value)) return value;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  it('is denied after its expiry, and the run continues', async () => {
    const one = house({ limits: soon });
    const { json: run } = await one.post('/api/runs', { prompt: 'pay' });
    const view = await until(
      async () => (await one.get(`/api/runs/${run.runId}`)).json,
      ({ resumedBy }) => resumedBy,
    );
    const { text } = await one.get(`/api/runs/${view.resumedBy}/events`);
    expect(text).to.include('The approval timed out.');
    expect(framesOf(text).at(-1)?.data).to.include({ outcome: 'completed' });
    expect(one.pay.calls).to.deep.equal([]);
    expect((await one.get('/api/approvals')).json.approvals).to.deep.equal([]);
    await one.runs.drain(0);
  });

  it('is marked as expired in audit and late answers, unlike denials by a user hookline', async () => {
    for (const limits of [soon, {}]) {
      const lines: JsonObject[] = [];
      const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
      const one = house({ limits, hooks: [asking(), auditLog({ logger })] });
      const { json: run } = await one.post('/api/runs', { prompt: 'pay' });
      await one.get(`/api/runs/${run.runId}/events`);
      const expires = limits === soon;
      const who = { 'x-user': 'hookline', 'x-approves-for': '*', 'x-token': 'own' };
      const [approval] = expires ? [] : (await one.get('/api/approvals')).json.approvals;
      if (approval) await one.post(`/api/approvals/${approval.id}`, { action: 'deny', hash: approval.hash }, who);
      await until(
        async () => (await one.get(`/api/runs/${run.runId}`)).json,
        ({ resumedBy }) => resumedBy,
      );
      const [told] = await until(
        async () => lines.filter(({ msg }) => msg === 'approval'),
        ({ length }) => length > 0,
      );
      expect(told).to.include({ answered_by: 'hookline', action: 'deny' });
      expect(told?.['expired']).to.equal(expires ? true : undefined);
      const late = await one.post(`/api/approvals/${told?.['approval']}`, { action: 'approve', hash: told?.['hash'] });
      expect(late.status).to.equal(409);
      expect(late.json.winner.expired).to.equal(expires ? true : undefined);
      await one.runs.drain(0);
    }
  });

  it('has an expiry time', async () => {
    const one = house();
    const { approval } = await suspend(one);
    expect(Date.parse(approval.expiresAt) - Date.parse(approval.suspendedAt)).to.equal(7 * 24 * 3_600_000);
  });

  it('is closed with its run if that cannot be resumed', async () => {
    const one = house({
      limits: soon,
      resume: () => {
        throw new Error('broken');
      },
    });
    const { json: run } = await one.post('/api/runs', { prompt: 'pay' });
    const view = await until(
      async () => (await one.get(`/api/runs/${run.runId}`)).json,
      ({ outcome }) => outcome === 'cancelled',
    );
    expect(view).to.include({ state: 'ended', reason: 'The approval timed out.' });
    expect(await one.store.list(['runs'])).to.deep.equal([]);
    expect(await one.store.list(['snapshots'])).to.deep.equal([]);
    await one.runs.drain(0);
  });
});

describe('list of approvals', () => {
  it('reads no snapshot', async () => {
    const store = memoryStore();
    const read: string[] = [];
    const watched = {
      ...store,
      read(key: Parameters<typeof store.read>[0]) {
        read.push(key[0]);
        return store.read(key);
      },
    };
    const one = house({ store: watched });
    await suspend(one);
    read.length = 0;
    expect((await one.get('/api/approvals')).json.approvals).to.have.length(1);
    expect((await one.get('/api/runs')).json.runs[0].waiting).to.have.length(1);
    expect(new Set(read)).to.deep.equal(new Set(['runs']));
  });

  it('includes runs that were suspended before snapshots were separate documents', async () => {
    const store = fileStore(tempFolder('first'));
    const transcript = memoryTranscript();
    const before = house({ store, transcript });
    const { run, approval } = await suspend(before);
    const key = ['runs', 'alice', run.runId] as const;
    const { user: _, session: __, calls: ___, run: view, ...rest } = (await store.read(key))!.value as JsonObject;
    const { waiting: ____, ...first } = view as JsonObject;
    const snapshot = (await store.read(['snapshots', 'alice', run.runId]))!.value;
    await store.write(key, { ...rest, version: 1, run: first, snapshot });
    await store.remove(['snapshots', 'alice', run.runId]);
    const after = house({ store, transcript });
    expect((await after.get('/api/approvals')).json.approvals).to.deep.equal([approval]);
    const { json } = await after.post(`/api/approvals/${approval.id}`, { action: 'approve', hash: approval.hash });
    expect(json.status).to.equal('resumed');
  });
});
