import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { aNatsServer, type NatsServer } from '../../nats/a-nats-server.ts';
import { type Served, servers, until } from '../served.ts';
import { continued, crashSite, eventsOf } from './crashing-server.ts';

const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;

describe('a server that wakes up after another one has taken over its run', function () {
  // Another server counts as gone after a minute.
  this.timeout(300_000);
  const { serve } = servers();
  let nats: NatsServer | undefined;
  afterEach(async () => {
    await nats?.kill();
    nats = undefined;
    delete process.env['HOOKLINE_BACKPLANE_SECRET'];
  });

  async function wakesUp(flagsOf: (at: string, name: string) => readonly string[]): Promise<void> {
    const calls = [
      { name: 'once', input: { slow: 20_000 } },
      { name: 'once', input: {} },
    ];
    const { at, flags, ran } = crashSite(calls);
    const start = (name: 'a' | 'b', token?: string) =>
      serve(at, token, ...flags(name), '--take-over', ...flagsOf(at, name));
    const a = await start('a');
    const b = await start('b', a.token);
    const { json } = await a.ask('POST', '/api/runs', { prompt: 'go', sessionId: 's1' });
    await until(async () => ran().length > 0 || undefined);
    await sleep(500);
    a.child.kill('SIGSTOP');
    const after = await continued(b, json.runId);
    expect(after.outcome).to.equal('completed');
    const recorded = async (one: Served) => {
      const texts = [json.runId, after.runId].map((runId) => eventsOf(one, runId));
      return [ran(), (await b.ask('GET', '/api/sessions/s1')).json, ...(await Promise.all(texts))];
    };
    const before = await recorded(b);
    expect(ran()).to.have.length(2);
    expect(before[2]).to.include('event: resumed').and.not.include('"outcome":"executed"');
    expect(before[3]).to.include('"outcome":"cancelled"');

    const client = eventsOf(a, json.runId);
    await sleep(500);
    a.child.kill('SIGCONT');
    expect(await client).not.to.include('"type":"postCall"');
    // Its tool is ready at once, and its next call, model step and heartbeat would follow.
    await sleep(20_000);
    expect(await recorded(b)).to.deep.equal(before);
    const view = (await a.ask('GET', `/api/runs/${json.runId}`)).json;
    expect(view).to.include({ state: 'ended', resumedBy: after.runId });
    expect(await recorded(a)).to.deep.equal(before);
    const next = (await a.ask('POST', '/api/runs', { prompt: 'more', sessionId: 's1' })).json;
    expect(next.state).to.equal('running');
    await a.ask('POST', `/api/runs/${next.runId}/cancel`);
  }

  if (SOAK) it('executes and records nothing, with runs in files', () => wakesUp(() => []));

  if (SOAK)
    it('executes and records nothing, with runs on NATS', async function () {
      nats = await aNatsServer();
      if (!nats) return this.skip();
      const { url } = nats;
      process.env['HOOKLINE_BACKPLANE_SECRET'] = 'a secret of the fleet that is long enough';
      return wakesUp((at, name) => ['--backplane', url, '--state', `${at}/state-${name}`]);
    });
});
