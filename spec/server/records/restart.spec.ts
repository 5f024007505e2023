import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { HooklineError, type SettledEvent } from 'hookline';
import { fileStore } from 'hookline/config';
import { fileRunStore, memoryRunStore, type RunStore } from 'hookline/server';
import { pino } from 'pino';
import { concat, NEVER, Subject } from 'rxjs';
import { createRecorder } from '../../../lib/server/records/recorder.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import { tempFolder } from '../../temp-folder.ts';
import { aStream } from '../a-stream.ts';
import { aHouse, asking, type Plan, paying } from '../runs/a-house.ts';
import { framesOf } from '../sse-frames.ts';

const chatty = () => scriptedModel([{ chunks: ['Hel', 'lo', ' ', 'you'] }, { text: 'again' }, { text: 'more' }]);

describe('a run after a restart of the server', () => {
  let folder: string;
  const files = () => ({ store: fileStore(join(folder, 'documents')), runStore: fileRunStore(join(folder, 'runs')) });
  /** Creates a server on the files of earlier servers. */
  const server = (plan: Plan = {}) => aHouse({ model: chatty(), ...files(), ...plan });
  beforeEach(() => {
    folder = tempFolder('state');
  });

  it('is listed and found unchanged', async () => {
    const before = server();
    const { json: run } = await before.post('/api/runs', { prompt: 'Tell me\n  all of it', sessionId: 's' });
    await before.runs.drain(1_000);
    const wanted = (await before.get(`/api/runs/${run.runId}`)).json;
    expect(wanted).to.include({ state: 'ended', outcome: 'completed', title: 'Tell me all of it', iteration: 1 });
    const after = server();
    expect((await after.get('/api/runs')).json.runs).to.deep.equal([wanted]);
    expect((await after.get(`/api/runs/${run.runId}`)).json).to.deep.equal(wanted);
    expect((await after.get('/api/runs', { 'x-user': 'bob' })).json.runs).to.deep.equal([]);
  });

  it('streams the same events, from any place', async () => {
    const before = server();
    const { json: run } = await before.post('/api/runs', { prompt: 'hi' });
    await before.runs.drain(1_000);
    const path = `/api/runs/${run.runId}/events`;
    const wanted = framesOf((await before.get(path)).text);
    const after = server();
    expect(framesOf((await after.get(path)).text)).to.deep.equal(wanted);
    const chunks = wanted.filter(({ event }) => event === 'reasoningChunk');
    expect(chunks.map(({ data }) => data['delta']).join('')).to.equal('Hello you');
    // Each place, including those within joined chunks.
    for (let seq = 0; seq <= Number(wanted.at(-1)?.id); seq += 1) {
      const headers = { 'last-event-id': String(seq) };
      const [left, right] = await Promise.all([before, after].map((one) => one.get(path, headers)));
      expect([right?.status, right?.text], String(seq)).to.deep.equal([left?.status, left?.text]);
    }
  });

  it('streams the events so far if it is active on another server, and the rest later', async () => {
    const more = new Subject<SettledEvent>();
    const stream = aStream();
    const one = server({ start: () => concat([stream.gate(), stream.text('Hel')], more) });
    const two = server();
    const { json: run } = await one.post('/api/runs', { prompt: 'hi' });
    const path = `/api/runs/${run.runId}/events`;
    const told: { id: string; event: string }[] = [];
    /** Repeats the request to the other server, as EventSource does. */
    const readUntil = async (done: () => boolean): Promise<void> => {
      for (let asked = 0; !done(); asked += 1) {
        expect(asked, `times it was asked; it told ${JSON.stringify(told)}`).to.be.lessThan(200);
        const last = told.at(-1)?.id;
        const { status, text } = await two.get(path, last === undefined ? {} : { 'last-event-id': last });
        if (status === 404) await new Promise((resolve) => setTimeout(resolve, 20));
        else expect([status, text.includes('lost')]).to.deep.equal([200, false]);
        told.push(...framesOf(text).flatMap(({ id, event }) => (id === undefined ? [] : [{ id, event }])));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await readUntil(() => told.length >= 2);
    expect(told.map(({ event }) => event)).to.deep.equal(['preCall', 'reasoningChunk']);
    const { status, text } = await two.get(path, { 'last-event-id': told.at(-1)!.id });
    expect([status, text]).to.deep.equal([200, 'retry: 1000\n\n']);
    more.next(stream.text('lo'));
    await readUntil(() => told.length >= 3);
    more.next(stream.end());
    more.complete();
    await readUntil(() => told.at(-1)?.event === 'postCall');
    expect(told.map(({ id }) => id)).to.deep.equal(['0', '1', '2', '3']);
  });

  it('keeps its answerer and the link to its resumed run', async () => {
    const before = server({ model: paying(), hooks: [asking()] });
    const { json: run } = await before.post('/api/runs', { prompt: 'pay' });
    await before.get(`/api/runs/${run.runId}/events`);
    const [approval] = (await before.get('/api/approvals')).json.approvals;
    const answer = { action: 'approve', hash: approval.hash, reason: 'go on' };
    const { resumedBy } = (await before.post(`/api/approvals/${approval.id}`, answer)).json;
    await before.runs.drain(1_000);
    const after = server();
    expect((await after.get(`/api/runs/${run.runId}`)).json).to.include({ state: 'ended', resumedBy });
    expect((await after.get(`/api/runs/${resumedBy}`)).json).to.include({
      outcome: 'completed',
      resumedFrom: run.runId,
    });
    const late = await after.post(`/api/approvals/${approval.id}`, answer);
    expect([late.status, late.json.winner.by, late.json.winner.reason]).to.deep.equal([409, 'alice', 'go on']);
    const frames = framesOf((await after.get(`/api/runs/${run.runId}/events`)).text);
    expect(frames.at(-1)).to.deep.include({ event: 'resumed', data: { runId: resumedBy } });
  });

  it('has ended as broken if the server ended during the run', async () => {
    const { text } = aStream();
    const { runStore, store } = files();
    const gone: RunStore = {
      ...runStore,
      // As written by another process that has ended.
      append: (key, { head, ...rest }) =>
        runStore.append(key, {
          ...rest,
          ...(head && { head: { ...head, server: { host: 'elsewhere', pid: 1 }, at: '2026-01-01T00:00:00.000Z' } }),
        }),
    };
    const before = aHouse({ start: () => concat([text('a')], NEVER), runStore: gone, store });
    const { json: run } = await before.post('/api/runs', { prompt: 'hi' });
    while (!(await runStore.find({ user: 'alice', runId: run.runId }))) await new Promise((go) => setTimeout(go, 10));
    const after = server();
    const found = (await after.get(`/api/runs/${run.runId}`)).json;
    expect(found).to.include({
      state: 'ended',
      outcome: 'failed',
      reason: 'The server ended while the run was active.',
    });
    const frames = framesOf((await after.get(`/api/runs/${run.runId}/events`)).text);
    expect(frames.at(-1)).to.deep.include({ event: 'broken' });
    await before.runs.drain(0);
  });

  it('reports truncated events as lost', async () => {
    const before = server();
    const { json: run } = await before.post('/api/runs', { prompt: 'hi' });
    await before.runs.drain(1_000);
    const names = readdirSync(join(folder, 'runs'), { recursive: true, encoding: 'utf8' });
    const name = names.find((one) => one.endsWith('.jsonl'))!;
    appendFileSync(join(folder, 'runs', name), '{"odd":1}\n{"event":');
    const { text } = await server().get(`/api/runs/${run.runId}/events`);
    expect(framesOf(text).at(-1)).to.deep.include({ event: 'lost', data: { gates: 1 } });
  });

  it('continues if recording fails, and the log reports it once', async () => {
    const logged: { msg: string; err?: { message: string } }[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    const full = {
      ...memoryRunStore(),
      append: () => Promise.reject(new HooklineError('STORE_FAILED', 'the disk is full')),
    };
    const one = aHouse({ model: chatty(), runStore: full, log });
    const { json: run } = await one.post('/api/runs', { prompt: 'hi' });
    await one.runs.drain(1_000);
    expect((await one.get(`/api/runs/${run.runId}`)).json).to.include({ outcome: 'completed' });
    expect(logged.map(({ msg }) => msg)).to.deep.equal(['a run could not be recorded']);
    expect(logged[0]?.err?.message).to.equal('the disk is full');
  });

  it('reports the number of events lost while recording failed', async () => {
    const sound = memoryRunStore();
    const key = { user: 'alice', runId: 'r' };
    const { text, gate } = aStream();
    let works = false;
    const flaky: RunStore = {
      ...sound,
      append: (...given) => (works ? sound.append(...given) : Promise.reject(new Error('full'))),
    };
    const recorder = createRecorder(flaky, key, { room: { left: 0 } });
    for (const event of [text('a'), text('b'), gate()]) recorder.event(event);
    await recorder.flush();
    works = true;
    recorder.event(gate());
    await recorder.flush();
    const { entries } = await sound.read(key);
    expect(entries.map(({ lost, event }) => lost ?? typeof event)).to.have.members([3, 'object']);
  });
});
