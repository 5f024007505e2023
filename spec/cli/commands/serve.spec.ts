import { once } from 'node:events';
import { readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder } from '../hookline.ts';
import { servers, until } from '../served.ts';
import { warmHookline } from '../warm-command.ts';

describe('hookline serve', () => {
  const { serve } = servers();

  it('creates a token at the first start, runs an agent with hooks, and streams its events', async () => {
    const config = { hooks: { scan: { type: 'security-scan' } } };
    const at = folder({ 'c.json': JSON.stringify(config), 'a.txt': `the key is ${'AKIAZ7QK2'}MRWX5LTN3PB` });
    const served = await serve(at, undefined, '--config', 'c.json');
    expect(served.token).to.match(/^hlk_/);
    expect((await fetch(`${served.url}/api/runs`)).status).to.equal(401);
    const { status, json } = await served.ask('POST', '/api/runs', { prompt: 'read a.txt' });
    expect(status).to.equal(201);
    const stream = await fetch(`${served.url}/api/runs/${json.runId}/events`, {
      headers: { authorization: `Bearer ${served.token}` },
    });
    const text = await stream.text();
    expect(text)
      .to.include('event: preCall')
      .and.include('[REDACTED:aws-access-key-id]')
      .and.not.include('MRWX5LTN3PB');
    expect(text.trimEnd().split('\n\n').at(-1)).to.include('event: postCall');
    expect(readFileSync(served.audit, 'utf8')).to.include('tool_call_end');
  });

  it('serves a page unless a flag or the file disables it', async () => {
    const at = folder({ 'c.json': JSON.stringify({ server: { page: false } }) });
    const told: unknown[] = [];
    for (const args of [[], ['--no-page'], ['--config', 'c.json']]) {
      const { url, child } = await serve(
        folder(),
        undefined,
        ...args.map((arg) => (arg === 'c.json' ? join(at, arg) : arg)),
      );
      const { status, headers } = await fetch(`${url}/`);
      told.push([status, headers.get('content-type')?.split(';')[0]]);
      child.kill('SIGKILL');
    }
    expect(told).to.deep.equal([
      [200, 'text/html'],
      [401, 'application/json'],
      [401, 'application/json'],
    ]);
  });

  it('runs scripts of Claude Code in the workspace', async () => {
    const command = 'printf "%s %s" "$(pwd)" "$CLAUDE_PROJECT_DIR" > out';
    const config = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } };
    const at = realpathSync(folder({ 'c.json': JSON.stringify(config), 'work/a.txt': 'x' }));
    const work = join(at, 'work');
    const served = await serve(at, undefined, '--config', 'c.json', '--workspace', 'work');
    const { json } = await served.ask('POST', '/api/runs', { prompt: 'read a.txt' });
    const authorization = `Bearer ${served.token}`;
    await (await fetch(`${served.url}/api/runs/${json.runId}/events`, { headers: { authorization } })).text();
    expect(readFileSync(join(work, 'out'), 'utf8')).to.equal(`${work} ${work}`);
  });

  it('keeps a suspended run across a crash, resumes it and runs no denied calls', async () => {
    const at = folder({ 'a.txt': 'one', 'b.txt': 'two' });
    const first = await serve(at);
    await first.ask('POST', '/api/runs', { prompt: 'delete a.txt' });
    await first.ask('POST', '/api/runs', { prompt: 'delete b.txt' });
    const shown = await until(async () => {
      const { json } = await first.ask('GET', '/api/approvals');
      return json.approvals.length === 2 ? json.approvals : undefined;
    });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await serve(at, first.token);
    const { json } = await second.ask('GET', '/api/approvals');
    expect(json.approvals).to.deep.equal(shown);
    const of = (path: string) => shown.find(({ input }: { input: { path: string } }) => input.path === path);
    const wrong = await second.ask('POST', `/api/approvals/${of('a.txt').id}`, {
      action: 'approve',
      hash: of('b.txt').hash,
    });
    expect(wrong.status).to.equal(409);
    const yes = await second.ask('POST', `/api/approvals/${of('a.txt').id}`, {
      action: 'approve',
      hash: of('a.txt').hash,
    });
    expect(yes.json).to.include({ status: 'resumed' });
    const no = await second.ask('POST', `/api/approvals/${of('b.txt').id}`, {
      action: 'deny',
      hash: of('b.txt').hash,
      reason: 'mine',
    });
    expect(no.json).to.include({ status: 'resumed' });
    await until(async () => {
      const { json: page } = await second.ask('GET', '/api/runs');
      // A suspended run and the run that resumes it are one.
      return page.runs.filter(({ state }: { state: string }) => state === 'ended').length === 2 || undefined;
    });
    expect(() => readFileSync(join(at, 'a.txt'))).to.throw('ENOENT');
    expect(readFileSync(join(at, 'b.txt'), 'utf8')).to.equal('two');
  });

  it('keeps ended runs across a restart, applies its limits, and restricts who may approve', async () => {
    const server = { limits: { suspendedPerUser: 1 }, keep: { for: '2d' }, approvals: { expireAfter: '1h' } };
    const at = folder({ 'a.txt': 'one', 'c.json': JSON.stringify({ server }) });
    const flags = ['--config', 'c.json', '--keep', '1GB'];
    const first = await serve(at, undefined, ...flags);
    const { json: run } = await first.ask('POST', '/api/runs', { prompt: 'read a.txt', sessionId: 's' });
    const ended = await until(async () => {
      const { json } = await first.ask('GET', `/api/runs/${run.runId}`);
      return json.state === 'ended' ? json : undefined;
    });
    await first.ask('POST', '/api/runs', { prompt: 'delete a.txt' });
    const [approval] = await until(async () => {
      const { json } = await first.ask('GET', '/api/approvals');
      return json.approvals.length > 0 ? json.approvals : undefined;
    });
    expect(Date.parse(approval.expiresAt) - Date.parse(approval.suspendedAt)).to.equal(3_600_000);
    expect((await first.ask('POST', '/api/runs', { prompt: 'read a.txt' })).status).to.equal(429);
    first.child.kill('SIGTERM');
    await once(first.child, 'exit');

    const issue = [
      'token',
      'issue',
      '--state',
      join(at, 'state'),
      '--user',
      'bob',
      '--name',
      'phone',
      '--approves-for',
      '*',
    ];
    const { stdout } = await warmHookline(issue, { cwd: at });
    const boss = await serve(at, stdout.trim(), ...flags);
    expect((await boss.ask('GET', '/api/me')).json).to.include({ user: 'bob', approvesFor: '*', token: 'phone' });
    expect((await boss.ask('GET', '/api/approvals')).json.approvals).to.deep.equal([approval]);
    expect((await boss.ask('GET', `/api/runs/${run.runId}`)).status).to.equal(404);
    boss.child.kill('SIGTERM');
    await once(boss.child, 'exit');
    const second = await serve(at, first.token, ...flags);
    expect((await second.ask('GET', `/api/runs/${run.runId}`)).json).to.deep.equal(ended);
    expect((await second.ask('GET', '/api/sessions/s')).json.messages.length).to.be.greaterThan(2);
  });

  it('rejects a --keep value that is neither a time nor a size', async () => {
    const { code, stderr } = await warmHookline(['serve', '--keep', 'forever']);
    expect(code).to.equal(2);
    expect(stderr).to.include('a time such as 12h or 30d, or a size such as 500MB or 2GB');
  });

  it('reloads a changed file automatically and on SIGHUP, and keeps the last valid one', async () => {
    const at = folder({ 'c.json': '{ "hooks": {} }' });
    const served = await serve(at, undefined, '--config', 'c.json');
    // Atomic, because a half-written file would be rejected once more.
    const change = (text: string) => {
      writeFileSync(join(at, 'next.json'), text);
      renameSync(join(at, 'next.json'), join(at, 'c.json'));
    };
    change('{ "hooks": { "a": { "type": "audit-log" } } }');
    expect(await served.said('reloaded')).to.include({ generation: 2 });
    change('{ "hooks": { "a": { "type": "audti-log" } } }');
    const { issues } = await served.said('refused');
    expect(issues).to.deep.equal([
      'c.json:1:29 hooks.a.type: unknown hook type "audti-log". Did you mean "audit-log"?',
    ]);
    served.child.kill('SIGHUP');
    await served.said('refused');
    expect((await served.ask('GET', '/api/hooks/available')).status).to.equal(200);
  });

  it('rejects new runs on SIGTERM, waits for active ones, cancels the rest, and exits with 0', async () => {
    const slow = [{ toolCalls: [{ name: 'run_command', input: { command: 'sleep 60' } }] }, { text: 'done' }];
    const at = folder({ 'turns.json': JSON.stringify(slow) });
    const served = await serve(at, undefined, '--model', 'script:turns.json', '--grace', '1');
    const { json } = await served.ask('POST', '/api/runs', { prompt: 'go' });
    const stream = fetch(`${served.url}/api/runs/${json.runId}/events`, {
      headers: { authorization: `Bearer ${served.token}` },
    });
    const text = (await stream).text();
    served.child.kill('SIGTERM');
    expect(await served.said('draining')).to.include({ signal: 'SIGTERM', graceSeconds: 1 });
    expect((await served.ask('POST', '/api/runs', { prompt: 'more' })).status).to.equal(503);
    const ended = once(served.child, 'exit');
    expect((await text).trimEnd().split('\n\n').at(-1))
      .to.include('event: postCall')
      .and.include('"outcome":"cancelled"');
    expect((await ended)[0]).to.equal(0);
  });

  it('rejects an invalid file, a used port and a public address before it listens', async () => {
    const at = folder({ 'c.json': '{ "hooks": { "a": {} } }' });
    const served = await serve(at);
    const port = new URL(served.url).port;
    const state = ['--state', join(at, 'other')];
    const refused = await Promise.all([
      warmHookline(['serve', '--config', 'c.json', ...state], { cwd: at }),
      warmHookline(['serve', '--port', port, ...state], { cwd: at }),
      warmHookline(['serve', '--host', '0.0.0.0', '--port', '0', ...state], { cwd: at }),
      warmHookline(['serve', '--port', 'x', ...state], { cwd: at }),
      warmHookline(['serve', '--model', 'script:none.json', ...state], { cwd: at }),
    ]);
    expect(refused.map(({ code }) => code)).to.deep.equal([2, 2, 2, 2, 2]);
    expect(refused.map(({ stderr }) => stderr).join('')).to.match(
      /hooks\.a: type is missing.*\n.*cannot listen on .*EADDRINUSE.*\n.*0\.0\.0\.0.*\n/,
    );
  });
});

describe('hookline token', () => {
  it('issues, lists and revokes tokens of the state directory', async () => {
    const at = folder();
    const token = (...args: string[]) => warmHookline(['token', ...args, '--state', 'state'], { cwd: at });
    const issued = await token('issue', '--user', 'ada', '--rights', 'read,run', '--json');
    const { token: secret } = JSON.parse(issued.stdout);
    expect(secret).to.match(/^hlk_/);
    const listed = JSON.parse((await token('list', '--json')).stdout);
    expect(listed).to.deep.include({ user: 'ada', rights: ['read', 'run'] });
    expect(JSON.stringify(listed)).not.to.include(secret.slice(20));
    const wrong = await token('issue', '--user', 'ada', '--rights', 'reed');
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.match(/rights\[0\].*"reed".*Did you mean "read"\?/);
    expect((await token('revoke', listed.id)).code).to.equal(0);
    expect((await token('list')).stdout).to.equal('');
    await token('issue', '--user', 'ann\n0123456789abcdef  root', '--name', 'a\tb');
    expect((await token('list')).stdout, 'no line is forged').to.match(
      /^[0-9a-f]{16} {2}ann\\u\{a\}0123456789abcdef {2}root {2}[^\n]* {2}a\\u\{9\}b\n$/,
    );
    const [made] = (await token('list')).stdout.split(' ');
    await token('revoke', String(made));
    expect((await token('revoke', listed.id)).code).to.equal(2);
  });
});
