import { expect } from 'chai';
import { concat, EMPTY, firstValueFrom, NEVER, Subject, throwError } from 'rxjs';
import { HooklineError, type SettledEvent } from '../../../lib/index.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import { aStream } from '../a-stream.ts';
import { framesOf } from '../sse-frames.ts';
import { aHouse } from './a-house.ts';

const many = (count: number) => scriptedModel(Array.from({ length: count }, () => 'hello'));

/** Creates runs that continue until they are cancelled. */
const endless = (limits = {}) => aHouse({ model: () => NEVER, limits });

describe('a run over HTTP', () => {
  it('starts, is found at the returned location, and ends', async () => {
    const { post, get } = aHouse();
    const started = await post('/api/runs', { prompt: 'hi', sessionId: 's' });
    expect(started.status).to.equal(201);
    expect(started.json).to.include({ sessionId: 's', agent: 'a' });
    const found = await get(started.headers.get('location') as string);
    expect(found.json).to.include({ runId: started.json.runId, state: 'ended', outcome: 'completed' });
    expect(found.json.endedAt >= found.json.startedAt).to.equal(true);
  });

  it('passes the fields of the request to the agent', async () => {
    const asked: unknown[] = [];
    const { post } = aHouse({
      start: (request) => {
        asked.push(request);
        return throwError(() => new HooklineError('CONFIG_INVALID', 'no hooks'));
      },
    });
    const wish = { prompt: 'hi', sessionId: 's', scope: 'team', metadata: { chat: 7 }, maxIterations: 3 };
    const answer = await post('/api/runs', wish);
    expect(asked).to.deep.equal([{ ...wish, user: 'alice', sessionId: 'alice:s' }]);
    expect([answer.status, answer.json.error.code]).to.deep.equal([422, 'CONFIG_INVALID']);
  });

  it('repeats the last turn of a session', async () => {
    const { post } = aHouse({
      start: ({ regenerate, prompt }) =>
        throwError(() => new HooklineError('CONFIG_INVALID', `${regenerate} "${prompt}"`)),
    });
    const answer = await post('/api/runs', { sessionId: 's', regenerate: true });
    expect(answer.json.error.message).to.include('true ""');
    for (const wish of [{ regenerate: true }, { sessionId: 's', regenerate: true, prompt: 'hi' }, { sessionId: 's' }]) {
      const { status, json } = await post('/api/runs', wish);
      expect([status, json.error.code], json.error.message).to.deep.equal([422, 'INPUT_INVALID']);
    }
  });

  it('is rejected with every issue of the body', async () => {
    const { post } = aHouse();
    const answer = await post('/api/runs', { promt: 'hi', maxIterations: 0 });
    expect(answer.status).to.equal(422);
    for (const word of ['promt', 'prompt', 'maxIterations']) expect(answer.json.error.message).to.include(word);
  });

  it('requires the rights of its routes', async () => {
    const { post, get } = aHouse();
    const { json } = await post('/api/runs', { prompt: 'hi' });
    const read = { 'x-rights': 'read,approve,configure' };
    expect((await post('/api/runs', { prompt: 'hi' }, read)).status).to.equal(403);
    expect((await post(`/api/runs/${json.runId}/cancel`, {}, read)).status).to.equal(403);
    const run = { 'x-rights': 'run' };
    for (const path of ['/api/runs', `/api/runs/${json.runId}`, `/api/runs/${json.runId}/events`, '/api/approvals'])
      expect((await get(path, run)).status, path).to.equal(403);
  });

  it('uses only the hooks of scopes that the token names', async () => {
    const { post } = aHouse();
    expect((await post('/api/runs', { prompt: 'hi', scope: 'team' })).json.scope).to.equal('team');
    expect((await post('/api/runs', { prompt: 'hi', scope: 'other' })).status).to.equal(403);
  });

  it('is invisible to other users, and so are the sessions', async () => {
    const { post, get, agent } = aHouse({ model: many(2) });
    const { json } = await post('/api/runs', { prompt: 'hi', sessionId: 's' });
    const bob = { 'x-user': 'bob' };
    for (const path of [`/api/runs/${json.runId}`, `/api/runs/${json.runId}/events`])
      expect((await get(path, bob)).status, path).to.equal(404);
    expect((await post(`/api/runs/${json.runId}/cancel`, {}, bob)).status).to.equal(404);
    expect((await get('/api/runs', bob)).json).to.deep.equal({ runs: [], total: 0 });
    const own = await post('/api/runs', { prompt: 'hi', sessionId: 's' }, bob);
    const [asked] = framesOf((await get(`/api/runs/${own.json.runId}/events`, bob)).text).slice(1);
    expect(asked?.data['messages']).to.have.length(1);
    expect(agent.name).to.equal('a');
  });

  it('ends after an interrupt with one last reply without tools', async () => {
    let asked = 0;
    const more = new Subject<void>();
    const tools: number[] = [];
    const { post, get } = aHouse({
      async *model(request) {
        tools.push(request.tools.length);
        asked += 1;
        if (asked === 1) await firstValueFrom(more);
        if (asked < 3) yield { type: 'toolCall', toolCall: { id: `c${asked}`, name: 'pay', input: {} } };
        else yield { type: 'text', delta: 'bye' };
        yield { type: 'finish', finishReason: 'stop' };
      },
    });
    const { json } = await post('/api/runs', { prompt: 'hi' });
    const path = `/api/runs/${json.runId}`;
    expect((await post(`${path}/interrupt`, {}, { 'x-user': 'bob' })).status).to.equal(404);
    expect((await post(`${path}/interrupt`, {})).json).to.include({ state: 'running' });
    more.next();
    const frames = framesOf((await get(`${path}/events`)).text);
    expect(frames.at(-1)?.data['outcome']).to.not.equal('cancelled');
    expect(tools.at(-1)).to.equal(0);
    expect((await post(`${path}/interrupt`, {})).json).to.include({ state: 'ended' });
  });

  it('is listed newest first in pages, without duplicates when more begin', async () => {
    const { post, get } = aHouse({ model: many(10) });
    const ids: string[] = [];
    const start = async () => ids.unshift((await post('/api/runs', { prompt: 'hi' })).json.runId);
    for (let index = 0; index < 5; index++) await start();
    const wanted = [...ids];
    const got: string[] = [];
    let next: string | undefined;
    do {
      const { json } = await get(`/api/runs?limit=2${next === undefined ? '' : `&after=${encodeURIComponent(next)}`}`);
      got.push(...json.runs.map(({ runId }: { runId: string }) => runId));
      next = json.next;
      await start();
    } while (next !== undefined);
    expect(got).to.deep.equal(wanted);
    for (const limit of ['0', '101', 'x', '-1']) expect((await get(`/api/runs?limit=${limit}`)).status).to.equal(422);
    const wrong = await get('/api/runs?after=zzz');
    expect([wrong.status, wrong.json.error.message]).to.deep.equal([
      400,
      'after must be `next` of the previous page, not "zzz".',
    ]);
    expect((await get('/api/runs?after=')).json).to.deep.equal((await get('/api/runs')).json);
  });

  it('ends as cancelled after a cancel, and stays unchanged after its end', async () => {
    const { post, get } = endless();
    const { json } = await post('/api/runs', { prompt: 'hi' });
    expect(json.state).to.equal('running');
    const cancelled = await post(`/api/runs/${json.runId}/cancel`, {});
    expect(cancelled.json).to.include({ state: 'ended', outcome: 'cancelled' });
    expect((await post(`/api/runs/${json.runId}/cancel`, {})).json).to.deep.equal(cancelled.json);
    const frames = framesOf((await get(`/api/runs/${json.runId}/events`)).text);
    expect(frames.at(-1)?.data).to.include({ type: 'postCall', outcome: 'cancelled' });
  });

  it('ends even if it ignores the signal', async () => {
    const { text } = aStream();
    const { post, get } = aHouse({ start: () => concat([text('a')], NEVER), limits: { cancelMs: 20 } });
    const { json } = await post('/api/runs', { prompt: 'hi' });
    expect((await post(`/api/runs/${json.runId}/cancel`, {})).json.outcome).to.equal('cancelled');
    const frames = framesOf((await get(`/api/runs/${json.runId}/events`)).text);
    expect(frames.at(-1)).to.deep.include({ event: 'broken' });
  });

  it('is marked as broken if it ends without postCall', async () => {
    const source = new Subject<SettledEvent>();
    const { text } = aStream();
    const { post, get } = aHouse({ start: () => concat([text('a')], source) });
    const { json } = await post('/api/runs', { prompt: 'hi' });
    source.error(new Error('secret detail'));
    const answer = await get(`/api/runs/${json.runId}/events`);
    expect(framesOf(answer.text).map(({ event }) => event)).to.deep.equal(['reasoningChunk', 'broken']);
    expect(answer.text).not.to.include('secret detail');
    expect((await get(`/api/runs/${json.runId}`)).json).to.include({ state: 'ended', outcome: 'failed' });
  });

  it('returns a server error if it ends before it begins', async () => {
    const { post, get } = aHouse({ start: () => EMPTY });
    expect((await post('/api/runs', { prompt: 'hi' })).status).to.equal(500);
    expect((await get('/api/runs')).json.runs).to.deep.equal([]);
  });

  it('is dropped if it does not begin before the timeout', async () => {
    const { post, runs } = aHouse({ start: () => NEVER, limits: { startMs: 20, cancelMs: 20 } });
    expect((await post('/api/runs', { prompt: 'hi' })).status).to.equal(503);
    await runs.drain(0);
  });

  it('is rejected for a busy session without waiting', async () => {
    const { post } = endless();
    const { json } = await post('/api/runs', { prompt: 'hi', sessionId: 's' });
    const busy = await post('/api/runs', { prompt: 'hi', sessionId: 's' });
    expect(busy.status).to.equal(409);
    expect(busy.json.error.message).to.include(json.runId);
    expect((await post('/api/runs', { prompt: 'hi', sessionId: 's' }, { 'x-user': 'bob' })).status).to.equal(201);
  });

  it('is limited in number, per user and in total', async () => {
    const { post } = endless({ running: 3, runningPerUser: 2 });
    const start = (user: string) => post('/api/runs', { prompt: 'hi' }, { 'x-user': user });
    const answers = [await start('a'), await start('a'), await start('a'), await start('b'), await start('b')];
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 429, 201, 503]);
    expect(answers[2]?.headers.get('retry-after')).to.match(/^\d+$/);
    expect(answers[4]?.headers.get('retry-after')).to.match(/^\d+$/);
  });

  it('is removed, oldest first, beyond the limit of ended runs', async () => {
    const { post, get } = aHouse({ model: many(4), limits: { kept: 2 } });
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) ids.push((await post('/api/runs', { prompt: 'hi' })).json.runId);
    const { json } = await get('/api/runs');
    expect(json.runs.map(({ runId }: { runId: string }) => runId)).to.deep.equal(ids.slice(2).reverse());
    expect((await get(`/api/runs/${ids[0]}/events`)).status).to.equal(404);
  });

  it('loses its events, oldest first, beyond the total limit, unless it is the newest', async () => {
    const { runs, post, get } = aHouse({ model: many(5), limits: { keptText: 20_000 } });
    const began = async (prompt: string): Promise<string> => (await post('/api/runs', { prompt })).json.runId;
    const first = await began('x'.repeat(5_000));
    expect((await get(`/api/runs/${first}/events`)).status).to.equal(200);
    const read = await runs.events('alice', first);
    const [second, third] = [await began('x'.repeat(30_000)), await began('x'.repeat(30_000))];
    await get(`/api/runs/${third}/events`);
    const statuses = async () => {
      const answers = await Promise.all([first, second, third].map((id) => get(`/api/runs/${id}/events`)));
      return answers.map(({ status }) => status);
    };
    // The first stream is still being read.
    expect(await statuses()).to.deep.equal([200, 404, 200]);
    await read?.cancel();
    const fourth = await began('hi');
    await get(`/api/runs/${fourth}/events`);
    expect(await statuses()).to.deep.equal([404, 404, 404]);
    expect((await get(`/api/runs/${fourth}/events`)).status).to.equal(200);
    expect((await get(`/api/runs/${first}`)).json).to.include({ state: 'ended', outcome: 'completed' });
  });
});

describe('closing a server', () => {
  it('rejects new runs and waits for active ones', async () => {
    const source = new Subject<SettledEvent>();
    const { gate, end } = aStream();
    let signal: AbortSignal | undefined;
    const { post, get, runs } = aHouse({
      start: (_, given) => {
        signal = given;
        return concat([gate()], source);
      },
    });
    const { json } = await post('/api/runs', { prompt: 'hi' });
    const told = get(`/api/runs/${json.runId}/events`);
    let drained = false;
    const drain = runs.drain(60_000).then(() => {
      drained = true;
    });
    const refused = await post('/api/runs', { prompt: 'hi' });
    expect(refused.status).to.equal(503);
    expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
    expect([drained, signal?.aborted]).to.deep.equal([false, false]);
    source.next(end());
    await drain;
    expect(framesOf((await told).text).map(({ event }) => event)).to.deep.equal(['preCall', 'postCall']);
  });

  it('cancels runs after the grace period, and informs clients before the disconnect', async () => {
    const { post, get, runs } = endless();
    const { json } = await post('/api/runs', { prompt: 'hi' });
    const told = get(`/api/runs/${json.runId}/events`);
    await runs.drain(10);
    expect(framesOf((await told).text).at(-1)?.data).to.include({ outcome: 'cancelled' });
  });
});
