import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { defer, switchMap, throwError } from 'rxjs';
import { z } from 'zod';
import {
  defineHook,
  defineTool,
  HooklineError,
  type JsonObject,
  memoryTranscript,
  verdict,
} from '../../../lib/index.ts';
import { fileStore } from '../../../lib/store/documents/file-store.ts';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';
import { scriptedTool } from '../../../lib/testing/index.ts';
import { tempFolder } from '../../temp-folder.ts';
import { aHouse, asking, type Plan, paying } from '../runs/a-house.ts';
import { framesOf } from '../sse-frames.ts';

const house = (plan: Plan = {}) => aHouse({ model: paying(), hooks: [asking()], ...plan });
type House = ReturnType<typeof house>;

async function suspend(one: House) {
  const { post, get } = one;
  const { json: run } = await post('/api/runs', { prompt: 'pay', sessionId: 's' });
  expect(await outcomeOf(one, run.runId)).to.equal('suspended');
  const { approvals } = (await get('/api/approvals')).json;
  return { run, approvals, approval: approvals[0] };
}

const answer = ({ post }: House, { id, hash }: { id: string; hash: string }, more: object = {}, headers = {}) =>
  post(`/api/approvals/${id}`, { action: 'approve', hash, ...more }, headers);

async function outcomeOf({ get }: House, runId: string) {
  const frames = framesOf((await get(`/api/runs/${runId}/events`)).text);
  return frames.find(({ event }) => event === 'postCall')?.data['outcome'];
}

describe('an approval over HTTP', () => {
  it('shows the exact call, with the hash of its canonical JSON', async () => {
    const one = house();
    const { run, approvals, approval } = await suspend(one);
    expect(approvals).to.have.length(1);
    expect(approval).to.deep.include({ runId: run.runId, agent: 'a', tool: 'pay', prompt: 'Really?', by: 'ask' });
    const text = `{"id":"${approval.toolCallId}","input":{"amount":1},"name":"pay"}`;
    expect(approval.hash).to.equal(createHash('sha256').update(text).digest('hex'));
    expect((await one.get(`/api/runs/${run.runId}`)).json).to.include({ state: 'suspended', outcome: 'suspended' });
  });

  it('runs the call after approval, in a separate run that is linked both ways', async () => {
    const one = house();
    const { run, approval } = await suspend(one);
    const { status, json } = await answer(one, approval);
    expect([status, json.status, json.runId]).to.deep.equal([200, 'resumed', run.runId]);
    expect(await outcomeOf(one, json.resumedBy)).to.equal('completed');
    expect(one.pay.calls.map(({ input }) => input)).to.deep.equal([{ amount: 1 }]);
    expect((await one.get(`/api/runs/${run.runId}`)).json).to.include({ state: 'ended', resumedBy: json.resumedBy });
    expect((await one.get(`/api/runs/${json.resumedBy}`)).json.resumedFrom).to.equal(run.runId);
    expect((await one.get('/api/approvals')).json.approvals).to.deep.equal([]);
    expect(await one.store.list(['runs'])).to.deep.equal([]);
    const told = framesOf((await one.get(`/api/runs/${run.runId}/events`)).text).at(-1);
    expect(told).to.deep.include({ event: 'resumed', data: { runId: json.resumedBy } });
  });

  it('rejects an edited input that does not match the schema, and stays pending', async () => {
    const ran: unknown[] = [];
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.strictObject({ amount: z.number() }),
      permission: 'write',
      execute: (input) => `paid ${ran.push(input)}`,
    });
    const one = house({ tools: [pay], knowsTools: true });
    const { approval } = await suspend(one);
    for (const input of [{ amount: 'much' }, {}, { amount: 1, to: 'me' }]) {
      const { status, json } = await answer(one, approval, { input });
      expect(status).to.equal(422);
      expect(json.error.message).to.match(/^The edited input is invalid; the call is still pending\. .*(amount|to)/s);
    }
    expect((await one.get('/api/approvals')).json.approvals).to.have.length(1);
    expect((await answer(one, approval, { input: { amount: 7 } })).status).to.equal(200);
    expect(ran).to.deep.equal([{ amount: 7 }]);
  });

  it('runs the edited input', async () => {
    const one = house();
    await answer(one, (await suspend(one)).approval, { input: { amount: 7 } });
    expect(one.pay.calls.map(({ input }) => input)).to.deep.equal([{ amount: 7 }]);
  });

  it('prevents the call after a denial, and the model receives the reason', async () => {
    const one = house();
    const { json } = await answer(one, (await suspend(one)).approval, { action: 'deny', reason: 'too dear' });
    expect(one.pay.calls).to.deep.equal([]);
    expect((await one.get(`/api/runs/${json.resumedBy}/events`)).text).to.include('too dear');
  });

  it('rejects an answer for another call, and shows the pending one', async () => {
    const one = house();
    const { approval } = await suspend(one);
    const { status, json } = await answer(one, { ...approval, hash: '0'.repeat(64) });
    expect([status, json.current]).to.deep.equal([409, approval]);
    expect(one.pay.calls).to.deep.equal([]);
  });

  it('rejects an invalid answer', async () => {
    const one = house();
    const { approval } = await suspend(one);
    for (const wrong of [{ action: 'maybe' }, { hash: 'x' }, { action: 'deny', input: {} }, { input: 1 }, { more: 1 }])
      expect((await answer(one, approval, wrong)).status, JSON.stringify(wrong)).to.equal(422);
    expect((await answer(one, { ...approval, id: 'none.1' })).status).to.equal(404);
  });

  it('accepts the first answer and names its author in the second response, even after the resume', async () => {
    const one = house({ model: paying(1, 2) });
    const { approvals } = await suspend(one);
    const [first, second] = approvals;
    expect((await answer(one, first, { action: 'deny', reason: 'no' })).json).to.deep.include({
      status: 'recorded',
      waiting: 1,
    });
    const late = await answer(one, first);
    expect(late.status).to.equal(409);
    expect(late.json.winner).to.deep.include({ action: 'deny', by: 'alice', reason: 'no' });
    expect((await one.get('/api/approvals')).json.approvals).to.deep.equal([second]);
    await answer(one, second);
    expect((await answer(one, second, { action: 'deny' })).json.winner).to.deep.include({ action: 'approve' });
    expect(one.pay.calls.map(({ input }) => input)).to.deep.equal([{ amount: 2 }]);
  });

  it('is invisible to other users', async () => {
    const one = house();
    const { approval } = await suspend(one);
    const bob = { 'x-user': 'bob' };
    expect((await one.get('/api/approvals', bob)).json.approvals).to.deep.equal([]);
    expect((await answer(one, approval, {}, bob)).status).to.equal(404);
    expect((await answer(one, approval, {}, { 'x-rights': 'read,run' })).status).to.equal(403);
  });

  it('is limited in number; beyond that no run begins until one is answered or closed', async () => {
    const { post, get } = aHouse({ hooks: [asking()], model: paying(), limits: { suspendedPerUser: 1 } });
    const { runId } = (await post('/api/runs', { prompt: 'pay' })).json;
    await get(`/api/runs/${runId}/events`);
    const refused = await post('/api/runs', { prompt: 'pay' });
    expect(refused.status).to.equal(429);
    expect(refused.json.error.message).to.include('1 suspended').and.include('/api/approvals');
    expect((await post('/api/runs', { prompt: 'pay' }, { 'x-user': 'bob' })).status).to.equal(201);
    expect((await post(`/api/runs/${runId}/cancel`, {})).status).to.equal(200);
    expect((await post('/api/runs', { prompt: 'pay' })).status).to.equal(201);
  });

  it('survives a restart of the server', async () => {
    const store = memoryStore();
    const before = house({ store });
    const { run, approval } = await suspend(before);
    await before.runs.drain(0);
    const after = house({ store, model: paying() });
    expect((await after.get('/api/approvals')).json.approvals).to.deep.equal([approval]);
    expect((await after.get('/api/runs')).json.runs[0]).to.include({ runId: run.runId, state: 'suspended' });
    expect((await after.get(`/api/runs/${run.runId}`)).json.state).to.equal('suspended');
    expect((await answer(after, approval)).json.status).to.equal('resumed');
    expect(after.pay.calls).to.have.length(1);
  });

  it('is pending again, with all others, if the run cannot be resumed', async () => {
    let works = false;
    const one: House = house({
      model: paying(1, 2),
      resume: (snapshot, answers, _, signal) =>
        works
          ? one.agent.resume(snapshot, answers, { signal })
          : throwError(() => new HooklineError('ANSWER_INVALID', 'Odd.')),
    });
    const { approvals } = await suspend(one);
    await answer(one, approvals[0]);
    const refused = await answer(one, approvals[1]);
    expect([refused.status, refused.json.error.code]).to.deep.equal([422, 'ANSWER_INVALID']);
    const again = (await one.get('/api/approvals')).json.approvals;
    expect(again.map(({ hash }: { hash: string }) => hash)).to.have.members([approvals[0].hash, approvals[1].hash]);
    expect(again[0].issue).to.include('Odd.');
    works = true;
    await answer(one, approvals[0]);
    expect((await answer(one, approvals[1])).json.status).to.equal('resumed');
    expect(one.pay.calls).to.have.length(2);
  });

  it('reports that the session has changed since, and can be closed', async () => {
    const one = house({ hooks: [asking()] });
    const { run, approval } = await suspend(one);
    await one.post('/api/runs', { prompt: 'forget it', sessionId: 's' });
    const stale = await answer(one, approval);
    expect([stale.status, stale.json.error.code]).to.deep.equal([409, 'SNAPSHOT_STALE']);
    expect((await one.get('/api/approvals')).json.approvals).to.have.length(1);
    expect(one.pay.calls).to.deep.equal([]);
    const given = await one.post(`/api/runs/${run.runId}/cancel`, {});
    expect(given.json).to.include({ state: 'ended', outcome: 'cancelled' });
    expect((await one.get('/api/approvals')).json.approvals).to.deep.equal([]);
    expect((await one.get(`/api/runs/${run.runId}`)).json.outcome).to.equal('cancelled');
  });

  it('is pending again if the server that resumed the run has ended', async () => {
    const store = memoryStore();
    const { run, approval } = await suspend(house({ store }));
    const key = ['runs', 'alice', run.runId] as const;
    const claim = async (resuming: string) => {
      const { value } = (await store.read(key)) as unknown as { value: object };
      await store.write(key, { ...value, resuming } as JsonObject);
    };
    const one = house({ store, limits: { startMs: 1_000 } });
    await claim(new Date().toISOString());
    expect((await one.get('/api/approvals')).json.approvals).to.deep.equal([]);
    expect((await one.post(`/api/runs/${run.runId}/cancel`, {})).status).to.equal(409);
    await claim(new Date(Date.now() - 60_000).toISOString());
    const [again] = (await one.get('/api/approvals')).json.approvals;
    expect(again.issue).to.include('It is unknown whether');
    expect((await answer(one, approval)).json.status).to.equal('resumed');
  });

  it('is not pending again during the resume, even if the clock jumps by a day', async () => {
    const { now } = Date;
    let begin = (): void => {};
    const held = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const one: House = house({
      resume: (snapshot, answers, _, signal) =>
        defer(() => held).pipe(switchMap(() => one.agent.resume(snapshot, answers, { signal }))),
    });
    const { run, approval } = await suspend(one);
    const resumed = answer(one, approval);
    await new Promise((resolve) => setTimeout(resolve, 20));
    try {
      Date.now = () => now() + 24 * 3_600_000;
      expect((await one.get('/api/approvals')).json.approvals).to.deep.equal([]);
      expect((await one.post(`/api/runs/${run.runId}/cancel`, {})).status).to.equal(409);
    } finally {
      Date.now = now;
      begin();
    }
    expect((await resumed).json.status).to.equal('resumed');
  });

  it('is pending under the new run if a run suspends again', async () => {
    let judged = 0;
    const later = () => (++judged > 1 ? verdict.suspend('Really?') : verdict.allow());
    const one = house({ hooks: [asking('one'), defineHook({ name: 'two', approve: later })] });
    const { run, approval } = await suspend(one);
    const { json } = await answer(one, approval);
    await outcomeOf(one, json.resumedBy);
    const { approvals } = (await one.get('/api/approvals')).json;
    expect(approvals.map(({ by }: { by: string }) => by)).to.deep.equal(['two']);
    expect(approvals[0].runId).to.equal(json.resumedBy).and.not.equal(run.runId);
    await answer(one, approvals[0]);
    expect(one.pay.calls).to.have.length(1);
  });

  it('is one for all hooks that ask, with the prompt of each, and one answer runs the call', async () => {
    const one = house({ hooks: [asking('one'), asking('two')] });
    const { approvals, approval } = await suspend(one);
    expect(approvals).to.have.length(1);
    expect(approval).to.deep.include({
      by: 'one',
      prompt: 'Really?',
      asks: [
        { by: 'one', prompt: 'Really?' },
        { by: 'two', prompt: 'Really?' },
      ],
    });
    const { json } = await answer(one, approval);
    expect(await outcomeOf(one, json.resumedBy)).to.equal('completed');
    expect(one.pay.calls).to.have.length(1);
  });

  it('is saved before the client learns that the run is suspended', async () => {
    const store = memoryStore();
    const slow = {
      ...store,
      write: async (...given: Parameters<typeof store.write>) => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return store.write(...given);
      },
    };
    const one = house({ store: slow });
    const { json: run } = await one.post('/api/runs', { prompt: 'pay' });
    expect(await outcomeOf(one, run.runId)).to.equal('suspended');
    expect((await one.get('/api/approvals')).json.approvals).to.have.length(1);
  });

  for (const [what, act] of [
    ['an answer', { action: 'approve' }],
    ['a denial', { action: 'deny' }],
  ] as const) {
    it(`can be answered, by ${what}, once it is listed, and both runs record it`, async () => {
      const store = memoryStore();
      let saved = () => {};
      const told = new Promise<void>((resolve) => {
        saved = resolve;
      });
      // Readers see the document before the server that wrote it receives its confirmation.
      const slow = {
        ...store,
        write: async (...given: Parameters<typeof store.write>) => {
          const written = await store.write(...given);
          if (given[0][0] === 'runs' && given[2]?.ifRevision === 0) await told;
          return written;
        },
      };
      const one = house({ store: slow, limits: { runningPerUser: 1 } });
      const { json: run } = await one.post('/api/runs', { prompt: 'pay', sessionId: 's' });
      let approvals: { id: string; hash: string }[] = [];
      while (approvals.length === 0) approvals = (await one.get('/api/approvals')).json.approvals;
      const { status, json } = await answer(one, approvals[0]!, act);
      expect([status, json.status]).to.deep.equal([200, 'resumed']);
      saved();
      expect(await outcomeOf(one, run.runId)).to.equal('suspended');
      expect((await one.get(`/api/runs/${run.runId}`)).json).to.include({ state: 'ended', resumedBy: json.resumedBy });
      expect(framesOf((await one.get(`/api/runs/${run.runId}/events`)).text).at(-1)?.event).to.equal('resumed');
    });
  }

  it('reports that a suspended run could not be saved', async () => {
    const store = memoryStore();
    const broken = { ...store, write: () => Promise.reject(new HooklineError('STORE_FAILED', 'disk full')) };
    const one = house({ store: broken });
    const { json: run } = await one.post('/api/runs', { prompt: 'pay' });
    expect(await outcomeOf(one, run.runId)).to.equal('suspended');
    const { json } = await one.get(`/api/runs/${run.runId}`);
    expect(json.state).to.equal('ended');
    expect(json.reason).to.include('could not be saved');
  });

  it('resumes a run once, with two servers on one store', async () => {
    const folder = tempFolder('runs');
    const [transcript, model] = [memoryTranscript(), paying(1, 2)];
    const tool = scriptedTool({ name: 'pay', result: 'paid' });
    const server = () => house({ store: fileStore(folder), tools: [tool], transcript, model });
    const [left, right] = [server(), server()];
    const { approvals } = await suspend(left);
    const tries = [left, right].flatMap((one) =>
      approvals.flatMap((approval: never) => [answer(one, approval), answer(one, approval)]),
    );
    const answers = await Promise.all(tries);
    const counts = (status: string) => answers.filter(({ json }) => json.status === status).length;
    expect([counts('resumed'), counts('recorded')]).to.deep.equal([1, 1]);
    const others = answers.filter(({ status }) => status !== 200);
    expect(others.map(({ status }) => status)).to.deep.equal(others.map(() => 409));
    for (const { json } of others) expect(json.winner).to.deep.include({ action: 'approve', by: 'alice' });
    await Promise.all([left.runs.drain(10_000), right.runs.drain(10_000)]);
    expect(tool.calls).to.have.length(2);
  });
});
