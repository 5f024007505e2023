import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createAgent, createPipeline } from '../../../../lib/index.ts';
import { claudeHooks } from '../../../../lib/process-hooks/index.ts';
import { recorder, scriptedModel, scriptedTool } from '../../../../lib/testing/index.ts';
import { folder } from '../../hookline.ts';
import { warmHookline } from '../../warm-command.ts';
import { httpHook } from './http-hook.ts';

const TOKEN = 'a-token-of-the-specs';
const RULES = `hooks:
  permission: { type: permission, options: { allow: ["run_command(ls:*)"], deny: ["run_command(rm:*)"] } }
`;

/** A process hook that writes a file when it starts. */
const PLUGIN = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
appendFileSync(new URL('started', import.meta.url), '.');
for await (const line of createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line);
  if (id) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { ok: true, action: 'continue' } }));
}
`;

/** A server in a separate folder. */
async function serving(args: readonly string[] = []) {
  const dir = folder({ 'hookline.yaml': RULES });
  const { url, end } = await httpHook(['--config', 'hookline.yaml', ...args], { cwd: dir, env: { HOOK_TOKEN: TOKEN } });
  const event = (command: string, more: object = {}) => ({
    ...{ session_id: 's1', cwd: dir, hook_event_name: 'PreToolUse', tool_use_id: 't1' },
    ...{ tool_name: 'Bash', tool_input: { command }, ...more },
  });
  /** Answer to a request. `fetch` does not allow another Host header. */
  async function send(body: string, { method = 'POST', path = '', ...headers }: Record<string, string> = {}) {
    const sent = request(`${url}${path}`, { method, headers: { 'content-type': 'application/json', ...headers } });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    return { status: answer.statusCode as number, said: JSON.parse(await text(answer)) };
  }
  const server = {
    dir,
    url,
    event,
    send,
    write: (config: string) => writeFileSync(join(dir, 'hookline.yaml'), config),
    async ask(command: string, more: object = {}) {
      const { status, said } = await send(JSON.stringify(event(command, more)));
      expect(status).to.equal(200);
      return said;
    },
    end,
  };
  servers.push(server);
  return server;
}
const servers: { end(): Promise<unknown> }[] = [];

describe('hookline hook --as claude --listen', function () {
  this.timeout(120_000);
  type Server = Awaited<ReturnType<typeof serving>>;
  let open: Server;
  let withToken: Server;
  before(async () => {
    process.env['HOOK_TOKEN'] = TOKEN;
    [open, withToken] = await Promise.all([serving(), serving(['--token-env', 'HOOK_TOKEN'])]);
  });
  after(async () => {
    delete process.env['HOOK_TOKEN'];
    await Promise.all(servers.splice(0).map((server) => server.end()));
  });

  it('evaluates posted events and prints nothing on stdout', async () => {
    const { ask, end } = await serving();
    expect(await ask('ls')).to.deep.equal({});
    expect((await ask('rm x')).hookSpecificOutput.permissionDecision).to.equal('deny');
    const { code, stdout } = await end();
    expect([code, stdout]).to.deep.equal([0, '']);
  });

  it('rejects other hosts, origins and sites, and requests that are not events', async () => {
    const { send, url, event } = open;
    const body = JSON.stringify(event('ls'));
    const origin = new URL(url).origin;
    for (const [headers, status] of [
      [{ host: 'evil.example' }, 421],
      [{ origin: 'http://evil.example' }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ 'content-type': 'text/plain' }, 415],
      [{ method: 'PUT' }, 405],
      [{ path: 'other' }, 404],
      [{ origin }, 200],
    ] as readonly (readonly [Record<string, string>, number])[])
      expect([headers, (await send(body, headers)).status]).to.deep.equal([headers, status]);
  });

  it('requires the token if one is set', async () => {
    const { send, event } = withToken;
    const body = JSON.stringify(event('rm x'));
    expect((await send(body)).status).to.equal(401);
    expect((await send(body, { authorization: `Bearer ${TOKEN}x` })).status).to.equal(401);
    const { status, said } = await send(body, { authorization: `Bearer ${TOKEN}` });
    expect([status, said.hookSpecificOutput.permissionDecision]).to.deep.equal([200, 'deny']);
  });

  it('denies in JSON at each event if evaluation fails, and recovers with a fixed configuration', async () => {
    const { ask, send, write } = await serving();
    await ask('ls');
    write('hooks:\n  permission: { type: permision }\n');
    const specific = async (more: object) => (await ask('ls', more)).hookSpecificOutput;
    expect(await specific({})).to.include({ permissionDecision: 'deny' });
    expect((await specific({})).permissionDecisionReason).to.contain('permision');
    expect((await specific({ hook_event_name: 'PermissionRequest' })).decision.behavior).to.equal('deny');
    const output = { hook_event_name: 'PostToolUse', tool_response: { stdout: 'raw' } };
    expect((await specific(output)).updatedToolOutput.stdout).to.contain('withheld');
    for (const more of [
      { hook_event_name: 'PostToolUseFailure', error: 'exit 1' },
      { hook_event_name: 'UserPromptSubmit', prompt: 'Go!' },
      { hook_event_name: 'Stop' },
    ])
      expect(await ask('ls', more)).to.include({ decision: 'block' });
    expect(await ask('ls', { hook_event_name: 'Stop', stop_hook_active: true })).to.deep.equal({});
    write(RULES);
    expect(await ask('ls')).to.deep.equal({});
    const other = await ask('ls', { hook_event_name: 'PreCompact' });
    expect(other.systemMessage).to.contain('does not evaluate the event PreCompact');
    const odd = await send('hello');
    expect([odd.status, odd.said.continue]).to.deep.equal([200, false]);
    expect(odd.said.stopReason).to.contain('not JSON');
  });

  it('evaluates a slow event with the current hooks and loads no others', async () => {
    const { ask, dir, event, url, write } = await serving();
    writeFileSync(join(dir, 'plugin.mjs'), PLUGIN);
    const options = { command: [process.execPath, join(dir, 'plugin.mjs')], intercept: ['before_tool'] };
    const config = JSON.stringify({ hooks: { plugin: { type: 'process', options } } });
    const started = () => readFileSync(join(dir, 'started'), 'utf8').length;
    // A file that has just changed is read once more.
    const settle = async () => {
      for (let n = 0; n < 3; n += 1) await ask('ls');
    };
    write(config);
    await settle();
    const headers = { 'content-type': 'application/json', expect: '100-continue' };
    const slow = request(url, { method: 'POST', headers });
    slow.flushHeaders();
    await once(slow, 'continue');
    write(`${config}\n# changed\n`);
    await settle();
    const before = started();
    const answered = once(slow, 'response');
    slow.end(JSON.stringify(event('ls')));
    expect(await text((await answered)[0])).to.equal('{}');
    expect(started()).to.equal(before);
  });

  it('ends a turn whose event exceeds the size limit', async () => {
    const said = await open.ask('x'.repeat(17 * 1024 * 1024));
    expect(said.continue).to.equal(false);
    expect(said.stopReason).to.contain('is larger than');
  });

  it('allows after a failed evaluation only with --fail-open', async () => {
    const { ask, write, end } = await serving(['--fail-open']);
    write('hooks:\n  permission: { type: permision }\n');
    expect(await ask('rm x')).to.deep.equal({});
    const { stderr } = await end();
    expect(stderr).to.contain('permision');
  });

  for (const [what, args, said] of [
    ['a public address', ['--listen', '0.0.0.0:0'], 'cannot listen on the public address "0.0.0.0"'],
    ['an invalid address', ['--listen', 'here'], 'address and a port'],
    ['a missing token', ['--listen', '127.0.0.1:0', '--token-env', 'NO_SUCH'], 'NO_SUCH'],
    ['port 0 for installed settings', ['--listen', '127.0.0.1:0', '--install'], 'not 0'],
    ['a token without a server', ['--token-env', 'HOOK_TOKEN'], 'requires --listen'],
    ['both a server and a daemon', ['--listen', '127.0.0.1:0', '--daemon'], 'use one of them'],
  ] as const) {
    it(`does not start with ${what}`, async () => {
      const { code, stdout, stderr } = await warmHookline(['hook', '--as', 'claude', ...args]);
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.contain(said);
    });
  }

  it('prints the command to start and the settings', async () => {
    const args = ['--config', 'hookline.yaml', '--listen', '127.0.0.1:3900', '--token-env', 'HOOK_TOKEN'];
    const cwd = folder({ 'hookline.yaml': 'hooks: {}\n' });
    const { stdout } = await warmHookline(['hook', '--as', 'claude', ...args, '--install'], { cwd });
    expect(stdout).to.contain(
      ` hook --as claude ${args.join(' ').replace('hookline.yaml', join(cwd, 'hookline.yaml'))}\n`,
    );
    const { hooks } = JSON.parse(/^\{$.*^\}$/ms.exec(stdout)?.[0] ?? '');
    expect(hooks.PreToolUse[0].hooks).to.deep.equal([
      {
        type: 'http',
        url: 'http://127.0.0.1:3900/',
        headers: { Authorization: 'Bearer $HOOK_TOKEN' },
        allowedEnvVars: ['HOOK_TOKEN'],
        timeout: 30,
        onFailure: 'block',
      },
    ]);
  });

  it('guards an agent that calls http handlers like Claude Code', async () => {
    const { dir, url } = withToken;
    const handler = {
      type: 'http' as const,
      url,
      headers: { Authorization: 'Bearer $HOOK_TOKEN' },
      allowedEnvVars: ['HOOK_TOKEN'],
    };
    const entry = [{ matcher: '*', hooks: [handler] }];
    const hooks = claudeHooks({ hooks: { PreToolUse: entry, PostToolUse: entry } }, { cwd: dir });
    const tool = scriptedTool({ name: 'run_command', result: 'ran' });
    const model = scriptedModel([
      { toolCalls: [{ name: 'run_command', input: { command: 'rm x' } }] },
      { toolCalls: [{ name: 'run_command', input: { command: 'ls' } }] },
      'done',
    ]);
    const recorded = recorder();
    const agent = createAgent({ name: 'a', model, tools: [tool], pipeline: createPipeline([hooks, recorded]) });
    await agent.call('go');
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ command: 'ls' }]);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['denied', 'executed']);
  });
});
