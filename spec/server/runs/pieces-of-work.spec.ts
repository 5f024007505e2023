import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { fileStore } from 'hookline/config';
import { fileRunStore, memoryRunStore } from 'hookline/server';
import { memoryTranscript } from '../../../lib/index.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import { tempFolder } from '../../temp-folder.ts';
import { aHouse, asking, type Plan } from './a-house.ts';

const usage = { inputTokens: 100, outputTokens: 10 };
/** Pays twice, one after the other. Each call is asked for. */
const model = () =>
  scriptedModel([
    { toolCalls: [{ name: 'pay', input: { amount: 1 } }], usage },
    { toolCalls: [{ name: 'pay', input: { amount: 2 } }], usage },
    { text: 'done', usage },
  ]);

describe('runs that resumed each other', () => {
  let folder: string;
  beforeEach(() => {
    folder = tempFolder('work');
  });
  const files = () => ({ store: fileStore(join(folder, 'documents')), runStore: fileRunStore(join(folder, 'runs')) });
  /** Servers that share everything but their memory. */
  function servers(plan: Plan = {}) {
    const shared = { model: model(), transcript: memoryTranscript(), hooks: [asking()], ...plan };
    return () => aHouse({ ...shared, ...files() });
  }
  type House = ReturnType<typeof aHouse>;

  async function approve({ get, post }: House): Promise<string> {
    for (;;) {
      const [approval] = (await get('/api/approvals')).json.approvals;
      if (approval) {
        const { json } = await post(`/api/approvals/${approval.id}`, { action: 'approve', hash: approval.hash });
        return json.resumedBy;
      }
      await sleep(5);
    }
  }

  async function rowsWhen(one: House, isSo: (row: { state: string; parts: string[] }) => boolean) {
    for (;;) {
      const { runs, total } = (await one.get('/api/runs')).json;
      if (runs.some(isSo)) return { runs, total };
      await sleep(5);
    }
  }

  it('are one row with one title, start and sum, across restarts', async () => {
    const server = servers();
    let one = server();
    const first = (await one.post('/api/runs', { prompt: 'Pay twice', sessionId: 's' })).json;
    const parts = [first.runId];
    for (const price of [1, 2]) {
      parts.push(await approve(one));
      const state = price === 1 ? 'suspended' : 'ended';
      const { runs, total } = await rowsWhen(one, (row) => row.parts?.length === price + 1 && row.state === state);
      expect(total).to.equal(1);
      expect(runs[0]).to.deep.include({ runId: parts.at(-1), parts, title: 'Pay twice', state });
      expect(runs[0].usage).to.deep.equal({ inputTokens: 100 * (price + 1), outputTokens: 10 * (price + 1) });
      await one.runs.drain(1_000);
      one = server();
    }
    const { runs } = (await one.get('/api/runs')).json;
    expect(runs).to.have.length(1);
    const [row] = runs;
    expect(row).to.deep.include({ runId: parts[2], startedAt: first.startedAt, outcome: 'completed', iteration: 3 });
    expect(row.resumedAt > row.startedAt).to.equal(true);
    expect(row.usage).to.deep.equal({ inputTokens: 300, outputTokens: 30 });
    for (const runId of parts) expect((await one.get(`/api/runs/${runId}`)).json.runId).to.equal(runId);
    expect((await one.get(`/api/runs/${parts[0]}`)).json).to.deep.include({ resumedBy: parts[1], usage });
    const { sessions } = (await one.get('/api/sessions')).json;
    expect(sessions).to.have.length(1);
    expect(sessions[0]).to.deep.include({ runs: 1, title: 'Pay twice', lastRun: parts[2], state: 'ended' });
  });

  it('are one row if the first has been removed', async () => {
    const server = servers();
    const one = server();
    const first = (await one.post('/api/runs', { prompt: 'Pay twice' })).json;
    await approve(one);
    await approve(one);
    await rowsWhen(one, ({ state }) => state === 'ended');
    await one.runs.drain(1_000);
    const { runStore } = files();
    expect(await runStore.remove({ user: 'alice', runId: first.runId })).to.equal(true);
    const { runs } = (await server().get('/api/runs')).json;
    expect(runs).to.have.length(1);
    expect(runs[0]).to.deep.include({ title: 'Pay twice', startedAt: first.startedAt });
    expect(runs[0].usage).to.deep.equal({ inputTokens: 300, outputTokens: 30 });
  });

  it('are found by the texts of each of them', async () => {
    const one = servers({
      model: scriptedModel([{ text: 'Walnut.', toolCalls: [{ name: 'pay', input: {} }] }, 'Fig.']),
    })();
    await one.post('/api/runs', { prompt: 'Pay' });
    await approve(one);
    await rowsWhen(one, ({ state }) => state === 'ended');
    await one.runs.drain(1_000);
    for (const filter of ['walnut', 'fig', 'walnut fig', 'tool:pay', 'paid'])
      expect((await one.get(`/api/runs?filter=${encodeURIComponent(filter)}`)).json.total, filter).to.equal(1);
    expect((await one.get('/api/runs?filter=almond')).json.total).to.equal(0);
  });

  it('show the waiting run if it could not be resumed', async () => {
    let tries = 0;
    const plan = { hooks: [asking()], model: model(), runStore: memoryRunStore() };
    const real = aHouse(plan);
    const one = aHouse({
      ...plan,
      start: ({ prompt, sessionId }, signal) => real.agent.run(prompt, { sessionId, signal }),
      resume: (snapshot, answers, _, signal) => {
        tries += 1;
        const fit = tries === 1 ? { nobody: { approved: true } } : answers;
        return real.agent.resume(snapshot, fit, { signal });
      },
    });
    const { runId } = (await one.post('/api/runs', { prompt: 'Pay' })).json;
    await one.get(`/api/runs/${runId}/events`);
    const [approval] = (await one.get('/api/approvals')).json.approvals;
    const failed = await one.post(`/api/approvals/${approval.id}`, { action: 'approve', hash: approval.hash });
    expect(failed.status).to.be.greaterThan(400);
    const { runs } = (await one.get('/api/runs')).json;
    expect(runs.map((run: { runId: string; state: string }) => [run.runId, run.state])).to.deep.equal([
      [runId, 'suspended'],
    ]);
  });
});
