import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { folder, hookline } from '../cli/hookline.ts';
import { type Served, servers, until } from '../cli/served.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

const secret = 'a secret of the fleet that is long enough';

/** Tools that note their calls in the file `ran`, and a step that waits on the first server. */
const hooks = (waits: boolean) => `
import { appendFileSync } from 'node:fs';
import { defineHook } from 'hookline';
const tool = (name, more) => ({
  name, description: name, permission: 'write', inputSchema: { type: 'object', additionalProperties: true }, ...more,
  async execute({ slow }, { toolCall }) {
    appendFileSync('ran', name + ' ' + toolCall.id + '\\n');
    if (slow && ${waits}) await new Promise((resolve) => setTimeout(resolve, 60_000));
    return 'ok';
  },
});
export default defineHook({
  name: 'tools-${waits ? 'a' : 'b'}',
  timeoutMs: 60_000,
  tools: [tool('once'), tool('again', { idempotent: true })],
  on: {
    async preReasoning(event) {
      if (event.iteration < 2 || !${waits}) return;
      appendFileSync('second', '');
      await new Promise((resolve) => setTimeout(resolve, 50_000));
    },
  },
});
`;

describe('hookline serve --take-over', function () {
  this.timeout(60_000);
  const { serve } = servers();
  let nats: NatsServer;
  let token: string | undefined;

  before(async function () {
    const started = await aNatsServer();
    if (!started) this.skip();
    nats = started;
    process.env['HOOKLINE_BACKPLANE_SECRET'] = secret;
  });
  after(async () => {
    delete process.env['HOOKLINE_BACKPLANE_SECRET'];
    await nats?.kill();
  });

  /** Two servers. The model of A calls the tools, and the model of B replies. */
  async function fleet(...calls: readonly object[]) {
    const at = folder({
      'a.mjs': hooks(true),
      'b.mjs': hooks(false),
      'a.json': JSON.stringify([{ toolCalls: calls }, { text: 'done by A' }]),
      'b.json': JSON.stringify([{ text: 'done by B' }]),
    });
    const own = (name: string) =>
      [
        '--backplane',
        nats.url,
        '--state',
        `${at}/state-${name}`,
        '--take-over',
        '--preset',
        'none',
        '--hooks',
        `${name}.mjs`,
      ].concat(['--model', `script:${name}.json`]);
    const a = await serve(at, token, ...own('a'));
    token = a.token;
    const b = await serve(at, token, ...own('b'));
    const { json } = await a.ask('POST', '/api/runs', { prompt: 'go', sessionId: 's1' });
    const ran = () => (existsSync(join(at, 'ran')) ? readFileSync(join(at, 'ran'), 'utf8').trim().split('\n') : []);
    return { at, a, b, runId: json.runId as string, ran };
  }

  /** Waits until B has ended the run that continues this one. */
  async function continued({ ask }: Served, runId: string) {
    const before = await until(async () => {
      const { json } = await ask('GET', `/api/runs/${runId}`);
      return json.resumedBy === undefined ? undefined : json;
    });
    const after = await until(async () => {
      const { json } = await ask('GET', `/api/runs/${before.resumedBy}`);
      return json.state === 'ended' ? json : undefined;
    });
    expect(before.state).to.equal('ended');
    expect(after.resumedFrom).to.equal(runId);
    return after;
  }

  async function eventsOf({ url }: Served, runId: string): Promise<string> {
    const response = await fetch(`${url}/api/runs/${runId}/events`, { headers: { authorization: `Bearer ${token}` } });
    return response.text();
  }

  it('goes on between two steps, and screens follow', async () => {
    const { at, a, b, runId, ran } = await fleet({ name: 'once', input: {} });
    await until(async () => existsSync(join(at, 'second')) || undefined);
    await sleep(300);
    a.child.kill('SIGKILL');
    const after = await continued(b, runId);
    expect(after.outcome).to.equal('completed');
    expect(ran()).to.have.length(1);
    expect(await eventsOf(b, runId))
      .to.include('event: resumed')
      .and.include(after.runId);
    const { json } = await b.ask('GET', '/api/sessions/s1');
    expect(JSON.stringify(json)).to.include('done by B').and.not.include('done by A');
  });

  it('cancels a call that had begun, and runs those that had not', async () => {
    const { a, b, runId, ran } = await fleet({ name: 'once', input: { slow: true } }, { name: 'once', input: {} });
    await until(async () => ran().length > 0 || undefined);
    a.child.kill('SIGKILL');
    const after = await continued(b, runId);
    expect(after.outcome).to.equal('completed');
    expect(ran()).to.have.length(2);
    const text = await eventsOf(b, after.runId);
    expect(text)
      .to.include('"outcome":"cancelled"')
      .and.include('its effect is unknown')
      .and.include('"outcome":"executed"');
  });

  it('runs an idempotent call again with the same id', async () => {
    const { a, b, runId, ran } = await fleet({ name: 'again', input: { slow: true } });
    await until(async () => ran().length > 0 || undefined);
    a.child.kill('SIGKILL');
    expect((await continued(b, runId)).outcome).to.equal('completed');
    const [first, second, ...more] = ran();
    expect([second, more]).to.deep.equal([first, []]);
  });

  it('needs a backplane', async () => {
    const { code, stderr } = await hookline(['serve', '--take-over']);
    expect([code, stderr]).to.deep.equal([
      2,
      'error: --take-over needs the runs of other servers. Add --backplane <url>.\n',
    ]);
  });
});
