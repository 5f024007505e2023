import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { memoryRunStore, type RunStore } from 'hookline/server';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import { aHouse, asking, paying } from '../runs/a-house.ts';

/** Delays each append of a run by the next of these times, in milliseconds. */
function delayed(...delays: readonly number[]): RunStore {
  const store = memoryRunStore();
  const appends = new Map<string, number>();
  return {
    ...store,
    async append(key, addition) {
      const count = appends.get(key.runId) ?? 0;
      appends.set(key.runId, count + 1);
      await sleep(delays[count % delays.length]);
      await store.append(key, addition);
    },
  };
}

describe('the record of a run that is answered while it is written', () => {
  for (const delays of [[300], [300, 0], [0, 300, 0], [10, 200, 30, 0, 120]])
    it(`ends with the answer, with appends of ${delays.join(', ')} ms`, async () => {
      const stores = { runStore: delayed(...delays), store: memoryStore() };
      const one = aHouse({ model: paying(), hooks: [asking()], ...stores });
      const { json: run } = await one.post('/api/runs', { prompt: 'pay' });
      let approval: { id: string; hash: string } | undefined;
      while (!approval) {
        [approval] = (await one.get('/api/approvals')).json.approvals;
        await sleep(2);
      }
      const answer = { action: 'approve', hash: approval.hash };
      const { status, json } = await one.post(`/api/approvals/${approval.id}`, answer);
      expect([status, json.status]).to.deep.equal([200, 'resumed']);
      await one.runs.drain(5_000);
      await sleep(700);
      const after = aHouse({ model: paying(), hooks: [asking()], ...stores });
      const stored = (await after.get(`/api/runs/${run.runId}`)).json;
      expect(stored).to.include({ state: 'ended', resumedBy: json.resumedBy });
      const again = await after.post(`/api/approvals/${approval.id}`, answer);
      expect([again.status, again.json.winner?.action]).to.deep.equal([409, 'approve']);
    });
});

describe('the recording of a run that has just ended', () => {
  it('is complete, although the store is slow', async () => {
    const { post, get } = aHouse({ runStore: delayed(0, 300) });
    const { runId } = (await post('/api/runs', { prompt: 'hi' })).json;
    const path = `/api/runs/${runId}`;
    while ((await get(path)).json.state !== 'ended') await sleep(2);
    const { status, text } = await get(`${path}/recording`);
    expect([status, text.includes('"type":"postCall"')]).to.deep.equal([200, true]);
  });
});

describe('the record of a run whose last write fails', () => {
  it('is written again', async () => {
    const store = memoryRunStore();
    let failures = 3;
    const runStore: RunStore = {
      ...store,
      async append(key, addition) {
        const { view } = (addition.head ?? {}) as { view?: { state?: string } };
        if (view?.state === 'ended' && failures > 0) {
          failures -= 1;
          throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        }
        await store.append(key, addition);
      },
    };
    const one = aHouse({ model: scriptedModel(['Hello.']), runStore });
    const { json: run } = await one.post('/api/runs', { prompt: 'hi' });
    await one.runs.drain(5_000);
    const stateOf = async () => {
      const [head] = await store.list();
      return (head?.head['view'] as { state?: string } | undefined)?.state;
    };
    for (let tries = 0; tries < 100 && (await stateOf()) !== 'ended'; tries += 1) await sleep(100);
    expect([await stateOf(), failures]).to.deep.equal(['ended', 0]);
    expect(run.runId).to.be.a('string');
  });
});
