import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { memoryRunStore } from 'hookline/server';
import { HooklineError } from '../../../../lib/errors.ts';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import type { SuspendedRun } from '../../../../lib/server/approvals/suspended-run.ts';
import { type Found, suspendedRuns } from '../../../../lib/server/approvals/suspended-runs.ts';
import { refuse } from '../../../../lib/server/http/refuse.ts';
import { headOf, type RunHead } from '../../../../lib/server/records/run-head.ts';
import { runRecords } from '../../../../lib/server/records/run-records.ts';
import type { RecoveredRun } from '../../../../lib/server/runs/run-ports.ts';
import type { RunView } from '../../../../lib/server/runs/run-view.ts';
import { takeOverRun } from '../../../../lib/server/runs/take-over/take-over-run.ts';
import { createTakeOvers } from '../../../../lib/server/runs/take-over/take-overs.ts';
import type { TrackedRun } from '../../../../lib/server/runs/tracked-run.ts';
import { memoryStore } from '../../../../lib/store/documents/memory-store.ts';

const key = { user: 'ann', runId: 'r' };
const view: RunView = {
  runId: 'r',
  sessionId: 's',
  agent: 'a',
  state: 'running',
  startedAt: new Date().toISOString(),
};
const place = { workspace: '/w', configuration: [] };
const given = { action: 'approve', by: 'bob', at: new Date().toISOString() } as const;

/** A lost run in stores, and what recovers it. */
async function lost(
  more: Partial<RunHead> = {},
  begins: () => Promise<RunView> = async () => ({ ...view, runId: 'n' }),
) {
  const store = memoryRunStore();
  const suspended = suspendedRuns(memoryStore(), undefined);
  const records = runRecords(store, undefined, () => true);
  const head: RunHead = {
    ...headOf(view, { place, writeAhead: true, ...more }),
    ...(more.view && { view: more.view }),
  };
  const gone = { ...head, server: { ...head.server, pid: 2 ** 30 } };
  await store.append(key, { entries: [{ event: { n: 1 } }], head: gone as unknown as JsonObject });
  const recovered: RecoveredRun[] = [];
  const parts = {
    store,
    records,
    suspended,
    admit: () => {},
    onView: () => {},
    log: undefined,
    recover(run: RecoveredRun) {
      recovered.push(run);
      const begun = begins();
      begun.catch(() => {});
      return { begun } as TrackedRun;
    },
  };
  const stored = async () => (await store.find(key)) as unknown as RunHead;
  return { ...parts, parts, recovered, stored, take: () => takeOverRun({ key, head: gone }, parts) };
}

const suspendedRun = (runId: string): SuspendedRun => ({
  version: 2,
  user: 'ann',
  session: 's',
  run: { ...view, runId, state: 'suspended' },
  place,
  calls: [],
  answers: {},
});

describe('a take-over of a run', () => {
  it('continues it, with its limit and its answers', async () => {
    const { take, recovered, stored } = await lost({ maxIterations: 3, answers: { q: given as never } });
    await take();
    expect(recovered).to.have.length(1);
    expect(recovered[0]).to.include({ writeAhead: true, maxIterations: 3, takeOvers: 1 });
    const { view: last, answers } = await stored();
    expect(last).to.include({ state: 'ended', resumedBy: 'n' });
    expect(answers).to.deep.equal({ q: given });
  });

  it('leaves it to its approvals, if it was saved as suspended before its end was recorded', async () => {
    const { take, recovered, stored, suspended } = await lost();
    await suspended.add(suspendedRun('r'), {});
    await take();
    expect(recovered).to.deep.equal([]);
    expect((await stored()).view.state).to.equal('suspended');
    expect(await suspended.find('ann', 'r')).not.to.equal(undefined);
  });

  it('ends the approvals of the run that it resumed, because its calls go on', async () => {
    const { take, recovered, suspended } = await lost({ view: { ...view, resumedFrom: 'before' } });
    await suspended.add(suspendedRun('before'), {});
    const { run, revision } = (await suspended.find('ann', 'before')) as Found;
    await suspended.write({ ...run, resuming: new Date().toISOString() }, revision);
    await take();
    expect(recovered).to.have.length(1);
    expect(await suspended.find('ann', 'before')).to.equal(undefined);
  });

  it('ends it as failed, if its journal is rejected a third time', async () => {
    const why = 'the events are missing.';
    const rejected = () => Promise.reject(new HooklineError('RECOVERY_INVALID', why));
    const second = await lost({ takeOvers: 1 }, rejected);
    expect(await second.take().catch((error) => error.code)).to.equal('RECOVERY_INVALID');
    expect((await second.stored()).view.state).to.equal('running');
    const third = await lost({ takeOvers: 2 }, rejected);
    await third.take();
    expect((await third.stored()).view).to.include({ state: 'ended', outcome: 'failed' });
    expect((await third.stored()).view.reason).to.include(why);
  });

  it('ends it as failed, if its record is damaged', async () => {
    const { parts, stored, recovered } = await lost();
    const damaged = {
      ...parts.store,
      takeOver: async (...given: Parameters<NonNullable<typeof parts.store.takeOver>>) => {
        const log = await parts.store.takeOver?.(...given);
        return log && { ...log, cut: true };
      },
    };
    await takeOverRun({ key, head: await stored() }, { ...parts, store: damaged });
    expect((await stored()).view.reason).to.include('the record of the run is damaged');
    expect(recovered).to.deep.equal([]);
  });

  it('ends it as failed, if its servers end again and again', async () => {
    const { take, recovered, stored } = await lost({ takeOvers: 10 });
    await take();
    expect(recovered).to.deep.equal([]);
    expect((await stored()).view.reason).to.include('taken over 10 times');
  });

  it('may be tried again after other failures, and each attempt counts', async () => {
    const { take, stored } = await lost({}, async () => Promise.reject(new Error('no model')));
    expect(String(await take().catch((error) => error))).to.equal('Error: no model');
    expect((await stored()).view.state).to.equal('running');
    expect((await stored()).takeOvers).to.equal(1);
  });

  it('keeps a pause for the next attempt', async () => {
    const paused = { ...view, paused: true as const };
    const { take, stored } = await lost({ view: paused }, async () => Promise.reject(new Error('no model')));
    await take().catch(() => {});
    expect((await stored()).view).to.include({ state: 'running', paused: true });
  });
});

describe('a server that looks for lost runs', () => {
  it('leaves out its own runs, which look lost after a pause of the process', async () => {
    const { parts, recovered } = await lost();
    let isOwn = true;
    const stop = createTakeOvers({ ...parts, place, isActive: () => isOwn }).start();
    await sleep(1_500);
    expect(recovered).to.deep.equal([]);
    isOwn = false;
    await sleep(1_500);
    stop();
    expect(recovered).to.have.length(1);
  });

  it('waits without counting an attempt while the session is busy', async () => {
    const { parts, recovered, stored } = await lost();
    const errors: unknown[] = [];
    let admitted = 0;
    const takeOvers = createTakeOvers({
      ...parts,
      admit() {
        admitted += 1;
        throw refuse(409, 'The session is busy.');
      },
      log: { error: (what: unknown) => errors.push(what) } as never,
      place,
      isActive: () => false,
    });
    const stop = takeOvers.start();
    await sleep(1_500);
    stop();
    expect([admitted, recovered, errors]).to.deep.equal([1, [], []]);
    expect(takeOvers.waits(key, await stored())).to.equal(true);
  });

  it('logs and counts an attempt that this server rejects after it was admitted', async () => {
    const { parts, recovered } = await lost({}, () => Promise.reject(refuse(503, 'The run did not start in time.')));
    const errors: { attempt?: number }[] = [];
    const log = { warn() {}, error: (what: { attempt?: number }) => errors.push(what) } as never;
    const stop = createTakeOvers({ ...parts, log, place, isActive: () => false }).start();
    await sleep(1_500);
    stop();
    expect([recovered.length, errors.map(({ attempt }) => attempt)]).to.deep.equal([1, [1]]);
  });

  it('leaves a run as failed whose server ended more than a day ago', async () => {
    const { parts, stored } = await lost();
    const { waits } = createTakeOvers({ ...parts, place, isActive: () => false });
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
    const head = await stored();
    expect(waits(key, { ...head, at: ago(23 * 3_600_000) })).to.equal(true);
    expect(waits(key, { ...head, at: ago(25 * 3_600_000) })).to.equal(false);
  });
});
