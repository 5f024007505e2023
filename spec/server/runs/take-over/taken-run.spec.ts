import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { defineTool } from 'hookline';
import { createInbox, memoryStateStore } from 'hookline/hooks';
import { joinFleet, memoryRunStore, type RunStore } from 'hookline/server';
import { z } from 'zod';
import { HooklineError } from '../../../../lib/errors.ts';
import { runRecords } from '../../../../lib/server/records/run-records.ts';
import { memoryLinks } from '../../fleet/memory-link.ts';
import { framesOf } from '../../sse-frames.ts';
import { aHouse, type Plan, paying } from '../a-house.ts';

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

/** A run that another server takes from this one while its call runs. */
async function takenRun(plan: Plan = {}) {
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
  const one = aHouse({ model: paying(1), tools: [pay], runStore: late, takeOver: true, ...plan });
  const { json: run } = await one.post('/api/runs', { prompt: 'pay' });
  return {
    ...one,
    runId: run.runId as string,
    async taken(how: object) {
      await sleep(300);
      const head = await store.find({ user: 'alice', runId: run.runId });
      const view = { ...(head?.['view'] as object), ...how };
      await store.append({ user: 'alice', runId: run.runId }, { head: { ...head, view } });
      take();
      release();
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
    const { runs, runId, taken, get } = await takenRun();
    const stream = runs.events('alice', runId);
    const client = stream.then((body) => new Response(body).text());
    await taken({ state: 'ended', resumedBy: 'next' });
    expect(await client)
      .to.include('"type":"preActing"')
      .and.not.include('"type":"postCall"');
    expect((await get(`/api/runs/${runId}`)).json).to.include({ state: 'ended', resumedBy: 'next' });
    await runs.drain(5_000);
    expect((await get(`/api/runs/${runId}`)).json).to.include({ state: 'ended', resumedBy: 'next' });
    expect((await get('/api/approvals')).json.approvals).to.deep.equal([]);
  });

  for (const [what, how, shown] of [
    ['as that one recorded it', { state: 'ended', resumedBy: 'next' }, { state: 'ended', resumedBy: 'next' }],
    ['as ended until that one records it', {}, { state: 'ended', reason: 'Another server has taken over the run.' }],
  ] as const)
    it(`is shown on open screens ${what}, and no longer offered to other servers`, async () => {
      const link = memoryLinks().link();
      const fleet = joinFleet({ link, state: memoryStateStore(), inbox: createInbox() });
      const { activities } = fleet.options;
      const { runs, runId, taken } = await takenRun(activities ? { activities } : {});
      fleet.serve(runs);
      const body = runs.activity({ user: 'alice' } as never, { approves: false });
      const screen = new Response(body).text();
      const isOffered = async () => (await link.ask(`run.${runId}`, { user: 'alice', control: 'none' })) !== undefined;
      expect(await isOffered()).to.equal(true);
      await taken(how);
      while (await isOffered()) await sleep(10);
      await runs.drain(5_000);
      fleet.leave();
      const views = framesOf(await screen).filter(({ event, data }) => event === 'run' && data['runId'] === runId);
      expect(views.at(-1)?.data).to.include(shown);
    });
});
