import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { defineTool, memoryTranscript } from 'hookline';
import { memoryRunStore, type RunStore } from 'hookline/server';
import { z } from 'zod';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { headOf, type RunHead } from '../../../../lib/server/records/run-head.ts';
import { memoryStore } from '../../../../lib/store/documents/memory-store.ts';
import { framesOf } from '../../sse-frames.ts';
import { aHouse, type Plan, paying } from '../a-house.ts';

const place = { workspace: '/w', configuration: [] };
const TAKEN =
  'The run is continued as a new one ("resumedBy"), or another request cancels it. Read it again, and cancel the new one.';
const MINUTES_AGO = new Date(Date.now() - 120_000).toISOString();

/** A server whose process ends in a call, and others on its stores. */
async function lostRun(otherStore: Partial<RunStore> = {}) {
  const shared = memoryRunStore();
  const stores = { store: memoryStore(), transcript: memoryTranscript(), place };
  let isGone = false;
  const dying: RunStore = {
    ...shared,
    append: async (key, { head, ...rest }) =>
      isGone
        ? undefined
        : shared.append(key, {
            ...rest,
            ...(head && { head: { ...head, server: { host: 'elsewhere', pid: 1 }, at: MINUTES_AGO } }),
          }),
  };
  let [begun, ran] = [false, 0];
  const pay = (hangs: boolean) =>
    defineTool({
      name: 'pay',
      description: 'pays',
      inputSchema: z.object({ amount: z.number() }),
      execute: async (_, { signal }) => {
        ran += 1;
        begun = true;
        if (hangs) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return 'paid';
      },
    });
  const one = aHouse({ model: paying(1, 2), tools: [pay(true)], runStore: dying, takeOver: true, ...stores });
  const { json: run } = await one.post('/api/runs', { prompt: 'pay' });
  while (!begun) await sleep(5);
  await one.runs.stored(run.runId);
  isGone = true;
  const key = { user: 'alice', runId: run.runId as string };
  const path = `/api/runs/${run.runId}`;
  const other = (more: Plan = {}) =>
    aHouse({
      model: paying(),
      tools: [pay(false)],
      runStore: { ...shared, ...otherStore },
      takeOver: true,
      ...stores,
      ...more,
    });
  return { one, other, shared, key, path, ran: () => ran };
}

describe('a lost run that waits for another server', () => {
  it('ends by a cancel, with its open calls, and no server continues it', async () => {
    const { one, other, key, path, shared, ran } = await lostRun();
    const [two, three] = [other(), other()];
    expect((await two.get(path)).json.state).to.equal('running');
    const { status, json } = await two.post(`${path}/cancel`, {});
    expect([status, json.state, json.outcome]).to.deep.equal([200, 'ended', 'cancelled']);
    expect(json.reason).to.equal('cancelled over HTTP after its server had ended');
    expect((await two.post(`${path}/cancel`, {})).json).to.deep.equal(json);
    const frames = framesOf((await three.get(`${path}/events`)).text);
    const [closed, last] = frames.slice(-2);
    expect([closed?.event, closed?.data['outcome']]).to.deep.equal(['postActing', 'cancelled']);
    expect(JSON.stringify(closed?.data['result'])).to.include('its effect is unknown');
    expect([last?.event, last?.data['outcome']]).to.deep.equal(['postCall', 'cancelled']);
    expect(frames.map(({ id }) => Number(id))).to.deep.equal(frames.map((_, seq) => seq));
    await sleep(1_500);
    expect(ran()).to.equal(1);
    expect((await shared.list(key.user)).map(({ runId }) => runId)).to.deep.equal([key.runId]);
    for (const house of [one, two, three]) await house.runs.drain(0);
  });

  it('rejects other controls with the reason', async () => {
    const { one, other, path } = await lostRun();
    const two = other();
    for (const how of ['interrupt', 'pause', 'continue']) {
      const { status, json } = await two.post(`${path}/${how}`, {});
      expect([how, status]).to.deep.equal([how, 409]);
      expect(json.error.message).to.match(/^The server of this run has ended, .* or cancel this one\.$/);
    }
    for (const house of [one, two]) await house.runs.drain(0);
  });

  it('ends by a cancel after an attempt to continue it has failed here', async () => {
    const { one, other, path } = await lostRun();
    let tried = 0;
    const two = other({
      recover() {
        tried += 1;
        throw new Error('no model');
      },
    });
    while (tried === 0) await sleep(20);
    while ((await two.get(path)).json.state !== 'running') await sleep(20);
    await sleep(100);
    const { status, json } = await two.post(`${path}/cancel`, {});
    expect([status, json.outcome]).to.deep.equal([200, 'cancelled']);
    for (const house of [one, two]) await house.runs.drain(0);
  });

  it('ends by a cancel on a server that takes over no runs, and no other continues it', async () => {
    const { one, other, path, ran } = await lostRun();
    const two = other({ takeOver: false });
    expect((await two.get(path)).json).to.include({ state: 'ended', outcome: 'failed' });
    expect((await two.post(`${path}/interrupt`, {})).status).to.equal(409);
    const { status, json } = await two.post(`${path}/cancel`, {});
    expect([status, json.state, json.outcome]).to.deep.equal([200, 'ended', 'cancelled']);
    const three = other();
    await sleep(1_500);
    expect((await three.get(path)).json).to.include({ state: 'ended', outcome: 'cancelled' });
    expect(ran()).to.equal(1);
    for (const house of [one, two, three]) await house.runs.drain(0);
  });

  it('rejects a cancel once another run continues it', async () => {
    const { one, other, path, key, shared } = await lostRun();
    const two = other();
    const { view } = (await shared.find(key)) as unknown as RunHead;
    const head = headOf({ ...view, state: 'ended', resumedBy: 'next' }, {});
    await shared.append(key, { head: head as unknown as JsonObject });
    const { status, json } = await two.post(`${path}/cancel`, {});
    expect([status, json.error?.message]).to.deep.equal([409, TAKEN]);
    for (const house of [one, two]) await house.runs.drain(0);
  });

  it('rejects a cancel if another server is faster', async () => {
    const { one, other, path } = await lostRun({ takeOver: async () => undefined });
    const two = other();
    const { status, json } = await two.post(`${path}/cancel`, {});
    expect([status, json.error.message]).to.deep.equal([409, TAKEN]);
    for (const house of [one, two]) await house.runs.drain(0);
  });

  it('rejects a cancel if another server has recorded that it continues the run', async () => {
    const { one, other, path, key, shared } = await lostRun();
    const two = other();
    const { view } = (await shared.find(key)) as unknown as RunHead;
    const head = headOf({ ...view, runId: 'next', resumedFrom: key.runId }, {});
    await shared.append({ ...key, runId: 'next' }, { head: head as unknown as JsonObject });
    const { status, json } = await two.post(`${path}/cancel`, {});
    expect([status, json.error?.message]).to.deep.equal([409, TAKEN]);
    for (const house of [one, two]) await house.runs.drain(0);
  });
});

describe('an active run of another server that cannot be reached', () => {
  it('rejects all controls with the reason', async () => {
    const stores = { runStore: memoryRunStore(), store: memoryStore() };
    const one = aHouse({ model: () => new Promise<never>(() => {}) as never, ...stores, limits: { cancelMs: 20 } });
    const { json: run } = await one.post('/api/runs', { prompt: 'hi' });
    while (!(await stores.runStore.find({ user: 'alice', runId: run.runId }))) await sleep(5);
    const two = aHouse(stores);
    for (const how of ['cancel', 'interrupt', 'pause', 'continue']) {
      const { status, json } = await two.post(`/api/runs/${run.runId}/${how}`, {});
      expect([how, status]).to.deep.equal([how, 409]);
      expect(json.error.message).to.match(/^The server of this run does not respond\. Try again, or use the server/);
    }
    expect((await one.get(`/api/runs/${run.runId}`)).json.state).to.equal('running');
    for (const house of [one, two]) await house.runs.drain(0);
  });
});
