import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { fileStore } from 'hookline/config';
import { lastValueFrom } from 'rxjs';
import {
  type Agent,
  type AgentOptions,
  createAgent,
  createPipeline,
  type JsonObject,
  memoryTranscript,
  type Snapshot,
} from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { createRuns } from '../../../lib/server/runs/create-runs.ts';
import type { Runs } from '../../../lib/server/runs/runs.ts';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';
import { scriptedTool } from '../../../lib/testing/index.ts';
import { tempFolder } from '../../temp-folder.ts';
import { asking, paying } from './a-house.ts';

const lead = { user: 'lead', approvesFor: '*' } as const;
const ada = { userId: 'ada', sessionId: 's1' };

/** An agent that asks before it pays. */
function aPayer(runs: Runs, options: Partial<AgentOptions> = {}) {
  const pay = scriptedTool({ name: 'pay', result: 'paid' });
  const pipeline = createPipeline([asking()], { log: silentLogger });
  const transcript = memoryTranscript();
  return {
    pay,
    payer: createAgent({ name: 'payer', model: paying(), tools: [pay], pipeline, transcript, runs, ...options }),
  };
}

/** Approves all pending calls as the program. */
function approve(payer: Agent, snapshot: JsonObject | undefined) {
  const { pending } = snapshot as unknown as Snapshot;
  return lastValueFrom(
    payer.resume(snapshot!, Object.fromEntries(pending.map(({ key }) => [key, { approved: true }]))),
  );
}

async function approvalIn(runs: Runs) {
  for (;;) {
    const [approval] = await runs.approvals(lead);
    if (approval) return approval;
    await sleep(2);
  }
}

/** The rows of the user, once they no longer change. */
async function rowsOf(runs: Runs) {
  let rows: Awaited<ReturnType<Runs['list']>>['runs'] = [];
  for (let same = 0; same < 4; ) {
    await sleep(30);
    const next = (await runs.list('ada', 10)).runs;
    const isOver = next.every(({ state }) => state !== 'running');
    same = isOver && JSON.stringify(next) === JSON.stringify(rows) ? same + 1 : 0;
    rows = next;
  }
  return rows;
}

describe('suspended runs whose session continues', () => {
  it('end when the program continues before they are stored', async () => {
    const runs = createRuns({ store: fileStore(tempFolder('continued')) });
    const { payer } = aPayer(runs);
    await payer.call('Pay', ada);
    await payer.call('Never mind', ada);
    expect((await rowsOf(runs)).map(({ title, outcome }) => [title, outcome])).to.deep.equal([
      ['Never mind', 'completed'],
      ['Pay', 'cancelled'],
    ]);
    expect(await runs.approvals(lead)).to.deep.equal([]);
  });

  it('end when the program resumes them before they are stored', async () => {
    const runs = createRuns({ store: fileStore(tempFolder('continued')) });
    const { payer, pay } = aPayer(runs);
    await approve(payer, (await payer.call('Pay', ada)).snapshot);
    expect((await rowsOf(runs)).map(({ outcome }) => outcome)).to.deep.equal(['completed']);
    expect(await runs.approvals(lead)).to.deep.equal([]);
    expect(pay.calls).to.have.length(1);
  });

  it('end when the program resumes them while an answer on the page resumes them, too', async () => {
    for (const later of [0, 2, 4]) {
      const runs = createRuns({ store: fileStore(tempFolder('continued')) });
      const { payer, pay } = aPayer(runs);
      const { snapshot } = await payer.call('Pay', ada);
      const { id, hash } = await approvalIn(runs);
      const answering = runs.answer(lead, id, { action: 'approve', hash }).catch((error: Error) => error);
      await sleep(later);
      const { run } = await approve(payer, snapshot);
      // Either may be first; the other one does nothing.
      const answered = await answering;
      const runId = 'resumedBy' in answered ? answered.resumedBy : run.runId;
      expect(await rowsOf(runs)).to.have.length(1);
      expect((await rowsOf(runs))[0]).to.include({ runId, outcome: 'completed' });
      expect(await runs.approvals(lead)).to.deep.equal([]);
      expect(pay.calls).to.have.length(1);
    }
  });

  it('stay when another agent with its own transcript uses the same session', async () => {
    const runs = createRuns({ store: memoryStore() });
    await aPayer(runs, { name: 'first' }).payer.call('Pay', ada);
    const { id, hash, agent } = await approvalIn(runs);
    await aPayer(runs, { name: 'second' }).payer.call('Pay', ada);
    expect((await rowsOf(runs)).map(({ state }) => state)).to.deep.equal(['suspended', 'suspended']);
    expect(agent).to.equal('first');
    expect((await runs.answer(lead, id, { action: 'approve', hash })).status).to.equal('resumed');
  });

  it('end when another agent continues the same transcript', async () => {
    const runs = createRuns({ store: memoryStore() });
    const transcript = memoryTranscript();
    await aPayer(runs, { name: 'first', transcript }).payer.call('Pay', ada);
    await approvalIn(runs);
    await aPayer(runs, { name: 'second', transcript }).payer.call('Never mind', ada);
    expect((await rowsOf(runs)).map(({ outcome }) => outcome)).to.deep.equal(['suspended', 'cancelled']);
    expect((await runs.approvals(lead)).map(({ agent }) => agent)).to.deep.equal(['second']);
  });

  it('can be cancelled when nobody can resume them', async () => {
    const store = memoryStore();
    await aPayer(createRuns({ store })).payer.call('Pay', ada);
    const restarted = createRuns({ store });
    const { id, hash, runId } = await approvalIn(restarted);
    const cancel = () => restarted.cancel('ada', runId).catch((error: Error) => error.message);
    expect(await cancel()).to.contain('Deny its pending calls instead.');
    const answered = await restarted.answer(lead, id, { action: 'deny', hash }).catch((error: Error) => error.message);
    expect(answered).to.contain('or cancel the run.');
    expect(await cancel()).to.include({ state: 'ended', outcome: 'cancelled' });
    expect(await restarted.approvals(lead)).to.deep.equal([]);
  });
});
