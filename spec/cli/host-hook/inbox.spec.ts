import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { folder, hookline, start } from '../hookline.ts';

const POLICY = `hooks:
  policy: { type: permission, options: { default: ask } }
`;

describe('hookline hook --inbox', () => {
  const at = folder({ 'hookline.yaml': POLICY });
  const event = (command: string) =>
    JSON.stringify({
      session_id: 'a1',
      turn_id: 't4',
      cwd: at,
      hook_event_name: 'PreToolUse',
      model: 'm',
      tool_name: 'Bash',
      tool_use_id: command,
      tool_input: { command },
    });
  let server: ReturnType<typeof start>;
  let url = '';
  let token = '';
  before(async () => {
    server = start(['serve', '--port', '0', '--state', 'state', '--json'], { cwd: at });
    let stderr = '';
    server.stderr?.on('data', (bytes) => {
      stderr += bytes;
    });
    url = await new Promise<string>((resolve, reject) => {
      server.once('exit', () => reject(new Error(stderr)));
      createInterface({ input: server.stdout! }).on('line', (line) => {
        const { event, url } = JSON.parse(line);
        if (event === 'listening') resolve(url);
      });
    });
    token = /hlk_[\w-]+/.exec(stderr)?.[0] ?? '';
  });
  after(() => void server.kill('SIGKILL'));

  const ask = (command: string, more: readonly string[] = [], given = token) =>
    hookline(
      ['hook', '--as', 'codex', '--config', 'hookline.yaml', '--inbox', url, '--token-env', 'PAGE_TOKEN', ...more],
      { cwd: at, env: { PAGE_TOKEN: given }, input: event(command) },
    );
  const api = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return (await (await fetch(`${url}${path}`, { ...init, headers })).json()) as Record<string, never>;
  };
  type Pending = { id: string; hash: string; agent: string; input: object; workspace?: string };
  const pending = async (): Promise<readonly Pending[]> => (await api('/api/approvals'))['approvals'] ?? [];
  async function asked(): Promise<Pending> {
    for (;;) {
      const [first] = await pending();
      if (first) return first;
      await sleep(50);
    }
  }
  const answer = ({ id, hash }: Pending, body: object) =>
    api(`/api/approvals/${encodeURIComponent(id)}`, { method: 'POST', body: JSON.stringify({ hash, ...body }) });

  it('shows a call on the page, and runs it once somebody approves', async () => {
    const answered = ask('npm publish');
    const call = await asked();
    expect(call.agent).to.equal('codex');
    expect(call.input).to.deep.equal({ command: 'npm publish' });
    // The server knows its own workspace only.
    expect(call).to.not.have.property('workspace');
    await answer(call, { action: 'approve' });
    expect(await answered).to.deep.include({ code: 0, stdout: '{}\n' });
    expect(await pending()).to.deep.equal([]);
  });

  it('runs a call with the input of the approver, and denies with the reason', async () => {
    const edited = ask('npm publish');
    await answer(await asked(), { action: 'approve', input: { command: 'npm pack' } });
    expect((await edited).stdout).to.contain('"updatedInput":{"command":"npm pack"}');
    const denied = ask('npm publish');
    await answer(await asked(), { action: 'deny', reason: 'not on a Friday' });
    const { code, stderr } = await denied;
    expect([code, stderr]).to.deep.equal([2, stderr]);
    expect(stderr).to.contain('not on a Friday');
  });

  it('denies shortly before its timeout, and the page no longer asks', async () => {
    const { code, stderr } = await ask('npm publish', ['--timeout', '5']);
    expect(code).to.equal(2);
    // On a busy machine the hooks load so long that the timeout comes first.
    expect(stderr).to.match(/nobody answered within 3 s|it took longer than 5000 ms/);
    expect(await pending()).to.deep.equal([]);
  });

  it('denies if the server refuses the token or is gone', async () => {
    expect(await ask('npm publish', [], 'hlk_wrong')).to.deep.include({ code: 2 });
    const words = ['hook', '--as', 'codex', '--config', 'hookline.yaml', '--token-env', 'PAGE_TOKEN'];
    const gone = await hookline([...words, '--inbox', 'http://127.0.0.1:9'], {
      cwd: at,
      env: { PAGE_TOKEN: token },
      input: event('npm publish'),
    });
    expect(gone.code).to.equal(2);
  });

  for (const [what, words, said] of [
    ['an address that is none', ['--inbox', 'page', '--token-env', 'PAGE_TOKEN'], 'must be the address of a server'],
    ['no token', ['--inbox', 'http://127.0.0.1:9'], '--inbox requires --token-env'],
  ] as const) {
    it(`denies every call with ${what}`, async () => {
      const { code, stderr } = await hookline(['hook', '--as', 'codex', ...words], { cwd: at, input: event('ls') });
      expect(code).to.equal(2);
      expect(stderr).to.contain(said);
    });
  }
});
