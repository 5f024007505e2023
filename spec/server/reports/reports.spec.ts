import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { createAgent, createPipeline, type SettledEvent } from 'hookline';
import { createHookConfigs, createLiveHooks, memoryStore } from 'hookline/config';
import { webhook } from 'hookline/hooks';
import {
  createReportedRuns,
  createRuns,
  createServer,
  createTokens,
  listen,
  memoryRunStore,
  reportRoutes,
  runRoutes,
} from 'hookline/server';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import type { Observable } from 'rxjs';
import { silentLogger } from '../../../lib/pipeline/logger.ts';

const SECRET = 'a-secret-of-the-team';

/** A server that takes reports, on loopback. */
async function aServer(secret?: string) {
  const live = await createLiveHooks({ files: [] });
  const store = memoryStore();
  const tokens = createTokens(store);
  const runs = createRuns({ store, runStore: memoryRunStore() });
  const reported = createReportedRuns(runs);
  const extra = [runRoutes(runs), reportRoutes({ runs: reported, secret })];
  const server = createServer({ configs: createHookConfigs(live, store), live, tokens, extra });
  const listening = await listen(server, tokens);
  const tokenOf = (user: string) => tokens.issue({ user, rights: ['read', 'run'] });
  return {
    runs,
    url: `${listening.url}/api/reports`,
    tokenOf,
    async post(body: unknown, headers: Readonly<Record<string, string>> = {}, user = 'ada') {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const authorization = `Bearer ${await tokenOf(user)}`;
      const all = { 'content-type': 'application/json', authorization, ...headers };
      const response = await fetch(`${listening.url}/api/reports`, { method: 'POST', headers: all, body: text });
      // biome-ignore lint/suspicious/noExplicitAny: the response of a spec.
      return { status: response.status, json: (await response.json()) as any };
    },
    async close() {
      reported.close();
      await runs.drain(0);
      await live.close();
      await listening.close();
    },
  };
}

const run = { runId: 'r1', sessionId: 's1', userId: 'mallory', agent: 'remote', depth: 0 };
const preCall = (of: object = run, seq = 0) => ({
  ...{ type: 'preCall', seq, time: 1_000, run: of, iteration: 0 },
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Go.' }] }],
});
const postCall = (of: object = run, seq = 9) => ({
  ...{ type: 'postCall', seq, time: 2_000, run: of, iteration: 1, outcome: 'completed' },
});
const batch = (...events: readonly object[]) => ({ version: 1, hook: 'webhook', lost: 0, events });

describe('reports of other processes', () => {
  let server: Awaited<ReturnType<typeof aServer>>;
  beforeEach(async () => {
    server = await aServer();
  });
  afterEach(() => server.close());
  const listed = async (user: string) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return (await server.runs.list(user, 10)).runs;
  };

  it('shows the runs of a process with the hook webhook, signed, with its sub-agents and outcome', async () => {
    await server.close();
    server = await aServer(SECRET);
    const headers = { authorization: `Bearer ${await server.tokenOf('ada')}` };
    const { hook, flush } = webhook({ url: server.url, secret: SECRET, headers });
    const agent = createAgent({
      name: 'remote',
      model: scriptedModel([{ toolCalls: [{ name: 'pay', input: { eur: 5 } }] }, 'Paid.']),
      tools: [scriptedTool({ name: 'pay', result: 'ok' })],
      pipeline: createPipeline([hook], { log: silentLogger }),
    });
    const { run } = await agent.call('Pay five euros.', { userId: 'somebody' });
    await flush();
    const [view] = await listed('ada');
    expect(view).to.include({ runId: run.runId, agent: 'remote', title: 'Pay five euros.', outcome: 'completed' });
    const events = await new Response(await server.runs.events('ada', run.runId)).text();
    expect(events).to.include('"outcome":"executed"').and.include('Paid.');
    expect((await listed('somebody')).length).to.equal(0);
  });

  it('belongs to the user of the token, and is never mixed with a run of another user', async () => {
    expect((await server.post(batch(preCall()))).json).to.deep.equal({ accepted: 1, repeated: 0, ignored: 0 });
    expect((await server.post(batch(postCall()), {}, 'eve')).json).to.deep.equal({
      accepted: 0,
      repeated: 0,
      ignored: 1,
    });
    expect((await listed('ada'))[0]).to.include({ user: 'ada', state: 'running' });
    expect(await listed('eve')).to.deep.equal([]);
    expect(await listed('mallory')).to.deep.equal([]);
    const thrown = await server.runs.cancel('ada', 'r1').catch((error: Error) => error);
    expect(String(thrown)).to.include('belongs to another process');
  });

  it('takes a batch once, also if it is sent again or after the end', async () => {
    const whole = batch(preCall(), postCall());
    expect((await server.post(whole)).json).to.deep.equal({ accepted: 2, repeated: 0, ignored: 0 });
    expect((await server.post(whole)).json).to.deep.equal({ accepted: 0, repeated: 2, ignored: 0 });
    expect((await server.post(batch(preCall(run, 20)))).json.repeated).to.equal(1);
    expect(await listed('ada')).to.have.length(1);
  });

  it('accepts events of sub-agents of a reported run only', async () => {
    const child = { ...run, runId: 'c1', parentRunId: 'r1', depth: 1, agent: 'sub' };
    const stranger = { ...child, runId: 'c2', parentRunId: 'other' };
    const { json } = await server.post(
      batch(preCall(), preCall(child), preCall(stranger), postCall(child), postCall()),
    );
    expect(json).to.deep.equal({ accepted: 4, repeated: 0, ignored: 1 });
    expect(await listed('ada')).to.have.length(1);
  });

  it('ends runs beyond the limit of reporting runs, the least recently used first', async () => {
    const many = Array.from({ length: 10_001 }, (_, at) => preCall({ ...run, runId: `r${at}` }) as never);
    const ended: string[] = [];
    const reported = createReportedRuns({
      watch: (source$) => {
        (source$ as Observable<SettledEvent>).subscribe({ error: (error: Error) => ended.push(error.message) });
      },
    });
    reported.report('ada', many.slice(0, 10_000));
    expect(ended).to.deep.equal([]);
    reported.report('ada', many.slice(10_000));
    expect(ended).to.deep.equal(['A run of another process is one of more than 10000 runs that report.']);
    reported.close();
  });

  it('rejects an invalid batch as a whole, and names the event and the field', async () => {
    for (const [events, place] of [
      [[preCall(), { ...postCall(), outcome: 'perfect' }], 'events[1].outcome'],
      [[preCall(), { type: 'party' }], 'events[1].type'],
      [[preCall(), { ...postCall(), seq: undefined }], 'events[1]'],
      [[{ ...preCall(), messages: 'Go.' }], 'events[0].messages'],
    ] as const) {
      const { status, json } = await server.post(batch(...events));
      expect([status, json.error.code], JSON.stringify(json)).to.deep.equal([422, 'INPUT_INVALID']);
      expect(json.error.message).to.include(place);
    }
    expect((await server.post({ ...batch(), version: 2 })).status).to.equal(422);
    expect((await server.post('{"version":1')).status).to.equal(422);
    expect(await listed('ada')).to.deep.equal([]);
  });

  it('takes larger bodies than other routes, up to 16 MiB', async () => {
    const messages = [{ role: 'user', parts: [{ type: 'text', text: 'x'.repeat(5_000_000) }] }];
    expect((await server.post(batch({ ...preCall(), messages }))).status).to.equal(200);
    expect((await server.post('x'.repeat(17 * 2 ** 20))).status).to.equal(413);
  });

  it('requires a fresh signature with the secret', async () => {
    await server.close();
    server = await aServer(SECRET);
    const body = JSON.stringify(batch(preCall()));
    const signed = (secret: string, age = 0, of = body) => {
      const timestamp = String(Math.floor(Date.now() / 1_000) - age);
      const signature = createHmac('sha256', secret).update(`msg_1.${timestamp}.${of}`).digest('base64');
      return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    };
    expect((await server.post(body)).status).to.equal(401);
    expect((await server.post(body, signed('another-secret-here'))).status).to.equal(401);
    expect((await server.post(body, signed(SECRET, 0, '{}'))).status).to.equal(401);
    expect((await server.post(body, signed(SECRET, 400))).json.error.message).to.include('older than 5 minutes');
    expect(await listed('ada')).to.deep.equal([]);
    expect((await server.post(body, signed(SECRET))).status).to.equal(200);
  });

  it('requires the right to run', async () => {
    const { status } = await server.post(batch(), { authorization: 'Bearer hlk_none' });
    expect(status).to.equal(401);
  });
});
