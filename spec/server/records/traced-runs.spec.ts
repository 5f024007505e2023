import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { defineHook, modify, type SettledEvent } from 'hookline';
import { fileRunStore, memoryRunStore } from 'hookline/server';
import { from, NEVER } from 'rxjs';
import type { HookStatistics } from '../../../lib/server/screens/hook-statistics.ts';
import { recordedRun, scriptedModel } from '../../../lib/testing/index.ts';
import { tempFolder } from '../../temp-folder.ts';
import { aHouse, asking, type Plan, paying } from '../runs/a-house.ts';
import { framesOf } from '../sse-frames.ts';

const secret = 'hush-hush';
const doubling = defineHook({
  name: 'doubling',
  on: {
    preActing: (event) =>
      modify(event, { toolCall: { ...event.toolCall, input: { amount: 2, note: secret } as never } }),
  },
});
const traced = { trace: { values: (text: string) => text.replaceAll(secret, '***') } };

/** Returns a run that has ended, with traced hooks. */
async function played(plan: Plan = {}) {
  const house = aHouse({ model: paying(1), hooks: [doubling], pipeline: traced, runStore: memoryRunStore(), ...plan });
  const { json } = await house.post('/api/runs', { prompt: 'hi' });
  await house.runs.drain(1_000);
  return { ...house, runId: json.runId as string };
}

const fileOf = (text: string): string => {
  const file = join(tempFolder('recording'), 'run.jsonl');
  writeFileSync(file, text);
  return file;
};

describe('a traced run', () => {
  it('streams the effects of every hook before each event, with redacted values', async () => {
    const { get, runId } = await played();
    const frames = framesOf((await get(`/api/runs/${runId}/events`)).text);
    const at = frames.findIndex(({ event }) => event === 'preActing');
    const { data: event } = frames[at] as never as { data: SettledEvent };
    const { id, event: type, data } = frames[at - 1] as NonNullable<(typeof frames)[number]>;
    expect([id, type]).to.deep.equal([undefined, 'trace']);
    const [step, ...others] = data['steps'] as { ms: number }[];
    expect(others).to.deep.equal([]);
    expect({ ...data, steps: [{ ...step, ms: 0 }] }).to.deep.equal({
      runId,
      seq: event.seq,
      steps: [
        {
          hook: 'doubling',
          priority: 100,
          stage: 'on',
          effect: 'changed',
          paths: ['toolCall.input.amount', 'toolCall.input.note'],
          changes: [
            { path: 'toolCall.input.amount', before: 1, after: 2 },
            { path: 'toolCall.input.note', after: '***' },
          ],
          ms: 0,
        },
      ],
    });
  });

  it('streams them again after a reconnect and after a restart', async () => {
    const folder = tempFolder('runs');
    const { get, runId } = await played({ runStore: fileRunStore(folder) });
    const path = `/api/runs/${runId}/events`;
    const wanted = (await get(path)).text;
    const after = aHouse({ runStore: fileRunStore(folder) });
    expect((await after.get(path)).text).to.equal(wanted);
    const seq = framesOf(wanted).find(({ event }) => event === 'preActing')?.data['seq'] as number;
    const rest = framesOf((await after.get(path, { 'last-event-id': String(seq - 1) })).text);
    expect(rest.slice(0, 2).map(({ event }) => event)).to.deep.equal(['trace', 'preActing']);
  });

  it('streams effects on chunks, and effects on the whole text with the event', async () => {
    const upper = defineHook({
      name: 'upper',
      on: {
        reasoningChunk: (chunk) =>
          chunk.delta === 'b' ? modify(chunk, { delta: chunk.delta.toUpperCase() }) : undefined,
      },
    });
    const folder = tempFolder('runs');
    const model = scriptedModel([{ chunks: ['a', 'b', 'c', 'd'] }]);
    const { get, runId } = await played({ hooks: [upper], model, runStore: fileRunStore(folder) });
    const told = (text: string) =>
      framesOf(text)
        .filter(({ event }) => event === 'trace' || event === 'reasoningChunk')
        .map(({ event, data }) =>
          event === 'trace' ? JSON.stringify(data['steps']).includes('"changes"') : data.delta,
        );
    const path = `/api/runs/${runId}/events`;
    const wanted = ['a', false, 'B', 'cd', true];
    expect(told((await get(path)).text)).to.deep.equal(wanted);
    const after = aHouse({ runStore: fileRunStore(folder) });
    expect(told((await after.get(path)).text)).to.deep.equal(wanted);
    const recorded = recordedRun(fileOf((await after.get(`/api/runs/${runId}/recording`)).text));
    const chunks = recorded.reports.filter(({ event }) => event.type === 'reasoningChunk');
    expect(chunks.map(({ steps }) => steps.map(({ effect }) => effect))).to.deep.equal([[], ['changed'], [], [], []]);
  });

  it('reports the number of chunks without traces beyond the limit', async () => {
    const upper = defineHook({
      name: 'upper',
      on: { reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.toUpperCase() }) },
    });
    const chunks = Array.from({ length: 1_200 }, () => 'a');
    const { get, runId } = await played({ hooks: [upper], model: scriptedModel([{ chunks }]) });
    const frames = framesOf((await get(`/api/runs/${runId}/events`)).text);
    const told = frames.filter(({ event }, at) => event === 'trace' && frames[at + 1]?.event === 'reasoningChunk');
    // The last chunk of a block is separate.
    const { unreportedChunks } = (await get(`/api/runs/${runId}`)).json;
    expect([told.length, unreportedChunks]).to.deep.equal([1_000, 200]);
  });

  it('streams nothing more without tracing', async () => {
    const { get, runId } = await played({ pipeline: {} });
    expect((await get(`/api/runs/${runId}/events`)).text).to.not.include('event: trace');
    expect((await get('/api/hooks/statistics')).json.hooks).to.deep.equal([]);
  });

  it('counts the effects of each hook', async () => {
    const { get } = await played({ hooks: [doubling, asking()] });
    const { hooks } = (await get('/api/hooks/statistics')).json;
    expect(hooks.map(({ p50Ms: _, p95Ms: __, ...counts }: HookStatistics['hooks'][number]) => counts)).to.deep.equal([
      { name: 'ask', ran: 1, changed: 0, decided: 1, failed: 0 },
      { name: 'doubling', ran: 1, changed: 1, decided: 0, failed: 0 },
    ]);
  });
});

describe('GET /api/runs/:id/recording', () => {
  it('returns a recording that can be replayed, with unchanged chunks', async () => {
    const { get, runId } = await played();
    const { text, headers } = await get(`/api/runs/${runId}/recording`);
    expect(headers.get('content-type')).to.equal('application/jsonl');
    const recorded = recordedRun(fileOf(text));
    expect([recorded.run.runId, recorded.complete, recorded.lost]).to.deep.equal([runId, true, 0]);
    expect(recorded.reports.map(({ event }) => event.seq)).to.deep.equal(recorded.reports.map((_, index) => index));
    const acting = recorded.reports.find(({ event }) => event.type === 'preActing');
    expect(acting?.steps.map(({ hook, effect }) => [hook, effect])).to.deep.equal([['doubling', 'changed']]);
    expect(text).to.not.include(`before":"${secret}`);
  });

  it('returns an export that is redacted, even if no hook of the run redacts', async () => {
    const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
    const { post, get } = aHouse({
      model: () =>
        from(
          [`The token is ${token.slice(0, 10)}`, token.slice(10)].map((delta) => ({ type: 'text' as const, delta })),
        ),
      runStore: memoryRunStore(),
    });
    const { json } = await post('/api/runs', { prompt: `Use ${token}` });
    const path = `/api/runs/${json.runId}`;
    while ((await get(path)).json.state !== 'ended') await new Promise((resolve) => setTimeout(resolve, 5));
    const { text } = await get(`${path}/recording`);
    expect(text).to.include('"redacted":true').and.include('REDACTED').and.not.include(token.slice(4));
    expect(text).to.not.include(token.slice(10));
  });

  it('returns the events so far of an active run, and nothing of other users', async () => {
    const { get, post } = aHouse({ model: () => NEVER, runStore: memoryRunStore() });
    const { json } = await post('/api/runs', { prompt: 'hi' });
    const path = `/api/runs/${json.runId}/recording`;
    const recorded = async () => (await get(path)).status === 200;
    while (!(await recorded())) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(recordedRun(fileOf((await get(path)).text)).complete).to.equal(false);
    expect((await get(path, { 'x-user': 'bob' })).status).to.equal(404);
    await post(`/api/runs/${json.runId}/cancel`, {});
  });

  it('reports that no events are kept', async () => {
    const { get, runId } = await played({ runStore: memoryRunStore({ runs: 10, logs: false }) });
    const { status, json } = await get(`/api/runs/${runId}/recording`);
    expect([status, json.error.message]).to.deep.equal([404, 'The events of the run are no longer stored.']);
  });
});
