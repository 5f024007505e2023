import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { defineTool } from 'hookline';
import { memoryRunStore, type RunStore } from 'hookline/server';
import { z } from 'zod';
import { HooklineError } from '../../../../lib/errors.ts';
import { runRecords } from '../../../../lib/server/records/run-records.ts';
import { aHouse, paying } from '../a-house.ts';

/** A run store that another process can take a run from. */
function takenStore() {
  const store = memoryRunStore();
  let isTaken = false;
  const late: RunStore = {
    ...store,
    async append(key, addition) {
      if (isTaken) throw new HooklineError('STORE_CONFLICT', 'Another process has taken over the run.');
      await store.append(key, addition);
    },
  };
  return {
    store,
    late,
    take() {
      isTaken = true;
    },
  };
}

describe('a run that another server has taken over', () => {
  it('is not stored, and reported once', async () => {
    const { late, take } = takenStore();
    let reports = 0;
    const records = runRecords(late, undefined);
    const recorder = records.record({ user: 'ann', runId: 'r' }, {}, () => {
      reports += 1;
    });
    const view = {
      runId: 'r',
      sessionId: 's',
      agent: 'a',
      state: 'running',
      startedAt: '2026-01-01T00:00:00Z',
    } as const;
    recorder.view(view);
    expect([await records.stored('r'), await records.stored('unknown')]).to.deep.equal([true, false]);
    take();
    for (let times = 0; times < 2; times += 1) {
      recorder.view(view);
      expect(await records.stored('r').catch((error) => error)).to.have.property('code', 'STORE_CONFLICT');
    }
    expect(reports).to.equal(1);
  });

  it('ends here, and clients and lists get what the other server has recorded', async () => {
    const { store, late, take } = takenStore();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const pay = defineTool({
      name: 'pay',
      description: 'pays',
      inputSchema: z.object({ amount: z.number() }),
      execute: () => released.then(() => 'paid'),
    });
    const one = aHouse({ model: paying(1), tools: [pay], runStore: late, takeOver: true });
    const { json: run } = await one.post('/api/runs', { prompt: 'pay' });
    const stream = one.runs.events('alice', run.runId);
    const client = stream.then((body) => new Response(body).text());
    await sleep(300);
    const head = await store.find({ user: 'alice', runId: run.runId });
    const view = { ...(head?.['view'] as object), state: 'ended', resumedBy: 'next' };
    await store.append({ user: 'alice', runId: run.runId }, { head: { ...head, view } });
    take();
    release();
    expect(await client)
      .to.include('"type":"preActing"')
      .and.not.include('"type":"postCall"');
    expect((await one.get(`/api/runs/${run.runId}`)).json).to.include({ state: 'ended', resumedBy: 'next' });
    await one.runs.drain(5_000);
    expect((await one.get(`/api/runs/${run.runId}`)).json).to.include({ state: 'ended', resumedBy: 'next' });
    expect((await one.get('/api/approvals')).json.approvals).to.deep.equal([]);
  });
});
