import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder, hookline } from '../cli/hookline.ts';
import { type Served, until } from '../cli/served.ts';
import { tempFolder } from '../temp-folder.ts';
import { servedFleet } from './served-fleet.ts';

describe('hookline serve --backplane', function () {
  this.timeout(60_000);
  const fleetServers = servedFleet();

  /** Two servers with one workspace. */
  async function fleet(files: Readonly<Record<string, string>>, ...flags: string[]) {
    const at = folder(files);
    const a = await fleetServers.serve(at, 'a', ...flags);
    const b = await fleetServers.serve(at, 'b', ...flags);
    return { at, a, b };
  }

  it('shows a run of one server on the other, with its events', async () => {
    const { a, b } = await fleet({ 'a.txt': 'hello' });
    const { json } = await a.ask('POST', '/api/runs', { prompt: 'read a.txt' });
    const view = await until(async () => {
      const { json: found } = await b.ask('GET', `/api/runs/${json.runId}`);
      return found.state === 'ended' ? found : undefined;
    });
    expect(view.outcome).to.equal('completed');
    const { json: list } = await b.ask('GET', '/api/runs');
    expect(list.runs.map(({ runId }: { runId: string }) => runId)).to.include(json.runId);
    const events = await fetch(`${b.url}/api/runs/${json.runId}/events`, {
      headers: { authorization: `Bearer ${b.token}` },
    });
    const text = await events.text();
    expect(text).to.include('event: preCall').and.include('event: postCall');
  });

  it('answers on one server what a run of the other asks, once', async () => {
    const script = JSON.stringify([
      { toolCalls: [{ name: 'delete_file', input: { path: 'n.txt' } }] },
      { text: 'done' },
    ]);
    const { at, a, b } = await fleet({ 's.json': script, 'n.txt': 'text' }, '--model', 'script:s.json');
    const { json } = await a.ask('POST', '/api/runs', { prompt: 'delete it' });
    const approval = await until(async () => {
      const { json: found } = await b.ask('GET', '/api/approvals');
      return found.approvals.find(({ runId }: { runId: string }) => runId === json.runId);
    });
    const body = { action: 'approve', hash: approval.hash };
    const answers = await Promise.all([a, b].map(({ ask }) => ask('POST', `/api/approvals/${approval.id}`, body)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    await until(async () => (existsSync(join(at, 'n.txt')) ? undefined : true));
  });

  it('says what is missing or wrong before it serves', async () => {
    const env = { HOOKLINE_BACKPLANE_SECRET: '' };
    const without = await hookline(['serve', '--backplane', fleetServers.nats.url], { env });
    expect([without.code, without.stderr]).to.deep.equal([
      2,
      'error: --backplane needs the secret that all servers of the fleet have. Set HOOKLINE_BACKPLANE_SECRET, or server.backplane.secret in the configuration, such as: openssl rand -base64 32\n',
    ]);
    const wrong = await hookline(['serve', '--backplane', 'http://127.0.0.1:4222']);
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.include('must be a URL such as nats://10.0.0.7:4222');
    const port = await hookline(['serve', '--backplane', 'nats://127.0.0.1:99999']);
    expect([port.code, port.stderr.includes('must be a URL such as nats://10.0.0.7:4222')]).to.deep.equal([2, true]);
  });

  it('accepts on all servers a token that the command line issues, until it is revoked', async () => {
    const { a, b } = await fleet({});
    const flags = ['--backplane', fleetServers.nats.url, '--state', tempFolder('state')];
    const { stdout } = await hookline(['token', 'issue', '--user', 'ann', ...flags]);
    const as = async (url: string) =>
      (await fetch(`${url}/api/runs`, { headers: { authorization: `Bearer ${stdout.trim()}` } })).status;
    expect([await as(a.url), await as(b.url)]).to.deep.equal([200, 200]);
    expect((await hookline(['token', 'revoke', stdout.trim(), ...flags])).code).to.equal(0);
    expect([await as(a.url), await as(b.url)]).to.deep.equal([401, 401]);
  });

  it('starts without NATS, and joins the others when it is there', async () => {
    await fleetServers.nats.kill();
    const at = folder();
    const a = await fleetServers.serve(at, 'a');
    expect((await a.ask('GET', '/api/runs')).status).to.equal(503);
    await fleetServers.nats.start();
    const b = await fleetServers.serve(at, 'b');
    for (const { ask } of [a, b])
      await until(async () => ((await ask('GET', '/api/runs')).status === 200 ? true : undefined));
  });

  it('cancels on one server a run of the other', async () => {
    const turns = JSON.stringify([
      { toolCalls: [{ name: 'run_command', input: { command: 'sleep 30' } }] },
      { text: 'done' },
    ]);
    const { a, b } = await fleet({ 's.json': turns }, '--model', 'script:s.json', '--preset', 'none');
    const { json } = await a.ask('POST', '/api/runs', { prompt: 'wait' });
    await until(async () =>
      (await b.ask('GET', `/api/runs/${json.runId}`)).json.state === 'running' ? true : undefined,
    );
    const { json: view } = await b.ask('POST', `/api/runs/${json.runId}/cancel`);
    expect(view).to.include({ state: 'ended', outcome: 'cancelled' });
    const { json: there } = await a.ask('GET', `/api/runs/${json.runId}`);
    expect(there.outcome).to.equal('cancelled');
  });

  it('pauses on one server a run of the other, and continues it', async () => {
    const turns = JSON.stringify([
      { toolCalls: [{ name: 'run_command', input: { command: 'while [ ! -e go ]; do sleep 0.05; done' } }] },
      { toolCalls: [{ name: 'run_command', input: { command: 'touch second' } }] },
      { text: 'done' },
    ]);
    const { at, a, b } = await fleet({ 's.json': turns }, '--model', 'script:s.json', '--preset', 'none');
    const activity = await fetch(`${b.url}/api/activity`, { headers: { authorization: `Bearer ${b.token}` } });
    const { json } = await a.ask('POST', '/api/runs', { prompt: 'wait' });
    const path = `/api/runs/${json.runId}`;
    await until(async () => ((await b.ask('GET', path)).json.doing?.what === 'acting' ? true : undefined));
    const { status, json: view } = await b.ask('POST', `${path}/pause`);
    expect([status, view.state, view.paused]).to.deep.equal([200, 'running', true]);
    expect((await a.ask('GET', path)).json).to.include({ state: 'running', paused: true });
    writeFileSync(join(at, 'go'), '');
    await until(async () => ((await a.ask('GET', path)).json.doing === undefined ? true : undefined));
    expect((await b.ask('POST', `${path}/pause`)).json).to.include({ paused: true, iteration: 1 });
    expect((await b.ask('POST', `${path}/continue`)).json).to.not.have.property('paused');
    await until(async () => ((await b.ask('GET', path)).json.outcome === 'completed' ? true : undefined));
    expect(existsSync(join(at, 'second'))).to.equal(true);
    expect((await b.ask('POST', `${path}/continue`)).status).to.equal(409);
    let told = '';
    for await (const piece of activity.body!.pipeThrough(new TextDecoderStream())) {
      told += piece;
      if (told.includes('"outcome":"completed"')) break;
    }
    expect(told).to.include('"paused":true');
  });

  it('shows on one server what an active run of the other asks, and sends the answer there', async () => {
    const turns = JSON.stringify([
      { toolCalls: [{ name: 'run_command', input: { command: 'echo yes > out' } }] },
      { text: 'done' },
    ]);
    const config = {
      hooks: {
        permission: { type: 'permission', options: { ask: ['run_command'], default: 'allow', askBy: 'inbox' } },
      },
    };
    const files = { 's.json': turns, 'c.json': JSON.stringify(config) };
    const { at, a, b } = await fleet(files, '--model', 'script:s.json', '--config', 'c.json');
    const activity = await fetch(`${b.url}/api/activity`, { headers: { authorization: `Bearer ${b.token}` } });
    const { json } = await a.ask('POST', '/api/runs', { prompt: 'go' });
    const approval = await until(async () => {
      const { json: found } = await b.ask('GET', '/api/approvals');
      return found.approvals.find(({ runId }: { runId: string }) => runId === json.runId);
    });
    expect(approval.inside).to.equal(true);
    const body = { action: 'approve', hash: approval.hash };
    const { status, json: answered } = await b.ask('POST', `/api/approvals/${approval.id}`, body);
    expect([status, answered.status]).to.deep.equal([200, 'continued']);
    await until(async () => (existsSync(join(at, 'out')) ? true : undefined));
    const late = await a.ask('POST', `/api/approvals/${approval.id}`, { ...body, action: 'deny' });
    expect(late.status).to.equal(409);
    expect(late.json.winner.action).to.equal('approve');
    await until(async () =>
      (await a.ask('GET', `/api/runs/${json.runId}`)).json.state === 'ended' ? true : undefined,
    );
    let told = '';
    for await (const piece of activity.body!.pipeThrough(new TextDecoderStream())) {
      told += piece;
      if (/event: answered/.test(told) && told.includes('"outcome":"completed"')) break;
    }
    expect(told).to.include('event: approval');
  });

  it('streams the events of an active run of the other server as they come', async () => {
    const turns = JSON.stringify([
      { toolCalls: [{ name: 'run_command', input: { command: 'while [ ! -e go ]; do sleep 0.05; done' } }] },
      { text: 'done' },
    ]);
    const { at, a, b } = await fleet({ 's.json': turns }, '--model', 'script:s.json', '--preset', 'none');
    const { json } = await a.ask('POST', '/api/runs', { prompt: 'wait' });
    const path = `/api/runs/${json.runId}`;
    await until(async () => ((await b.ask('GET', path)).json.state === 'running' ? true : undefined));
    const { body } = await fetch(`${b.url}${path}/events`, { headers: { authorization: `Bearer ${b.token}` } });
    let text = '';
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      // The tool waits for this file, so the rest comes over the same connection.
      if (text.includes('event: preActing')) writeFileSync(join(at, 'go'), '');
    }
    expect(text.match(/event: \w+/g)).to.include.members(['event: preActing', 'event: postActing', 'event: postCall']);
  });

  it('runs new sessions while NATS is away, and shows them on the other server afterwards', async () => {
    const { a, b } = await fleet({ 'a.txt': 'hello' });
    // Tokens and configurations are known once they were used.
    const { json: before } = await a.ask('POST', '/api/runs', { prompt: 'read a.txt' });
    const ended = (runId: string, { ask }: Served) =>
      until(async () => ((await ask('GET', `/api/runs/${runId}`)).json.outcome === 'completed' ? true : undefined));
    await ended(before.runId, b);
    await fleetServers.nats.kill();
    const { status, json } = await a.ask('POST', '/api/runs', { prompt: 'read a.txt' });
    expect([status, json.error]).to.deep.equal([201, undefined]);
    await ended(json.runId, a);
    await fleetServers.nats.start();
    await ended(json.runId, b);
    const { json: session } = await until(async () => {
      const found = await b.ask('GET', `/api/sessions/${json.sessionId}`);
      return found.status === 200 && found.json.messages?.length > 0 ? found : undefined;
    });
    expect(JSON.stringify(session.messages)).to.include('read a.txt');
  });
});
