import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { answerOf, clientOf, handMade } from '../../adapters/mcp/http/over-http.ts';
import { folder, hookline, outcomeOf, root, start } from '../hookline.ts';
import { warmHookline } from '../warm-command.ts';

const SERVER = ['--', process.execPath, join(root, 'spec/fixtures/mcp/plain-server.mjs')];
const CONFIG = `hooks:
  audit: { type: audit-log, options: { file: audit.jsonl } }
  rules: { type: permission, options: { allow: [echo], deny: [look], default: ask } }
`;
const request = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const initialize = request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
const call = (id: number, name: string, input: object = {}) => request(id, 'tools/call', { name, arguments: input });

describe('hookline mcp', () => {
  it('applies the hooks of a configuration to a server and writes their audit log', async () => {
    const cwd = folder({ 'hookline.yaml': CONFIG });
    const input =
      initialize + call(2, 'echo', { text: 'a' }) + call(3, 'look') + call(4, 'strange') + request(5, 'tools/list', {});
    const { code, stdout, stderr } = await hookline(['mcp', '--config', 'hookline.yaml', ...SERVER], { cwd, input });
    expect(code).to.equal(0);
    const results = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const texts = results
      .filter(({ id }) => id > 1 && id < 5)
      .map(({ id, result }) => [id, result.isError ?? false, result.content[0].text]);
    expect(texts.sort()).to.deep.equal([
      [2, false, 'a'],
      [3, true, texts.find(([id]) => id === 3)?.[2]],
      [4, true, texts.find(([id]) => id === 4)?.[2]],
    ]);
    const { tools } = results.find(({ id }) => id === 5).result;
    expect(tools.map(({ name }: { name: string }) => name))
      .to.include('echo')
      .and.not.include('look');
    expect(texts.join()).to.contain('denied by hook "rules"').and.contain('the client does not support forms');
    expect(stderr).to.contain('audit: ');
    const audit = readFileSync(join(cwd, 'audit.jsonl'), 'utf8');
    for (const name of ['echo', 'look', 'strange']) expect(audit).to.contain(`"${name}"`);
  });

  it('rejects an invalid configuration and a missing server before it starts anything', async () => {
    const cwd = folder({ 'wrong.yaml': 'hooks: { a: { type: permision } }\n' });
    const wrong = await hookline(['mcp', '--config', 'wrong.yaml', ...SERVER], { cwd, input: initialize });
    expect(wrong).to.include({ code: 2, stdout: '' });
    expect(wrong.stderr).to.contain('permission');
    expect(await warmHookline(['mcp'])).to.include({ code: 2, stdout: '' });
    expect(await warmHookline(['mcp', 'node', 'server.mjs', '--quiet'])).to.deep.equal({
      code: 2,
      stdout: '',
      stderr: "error: unknown option '--quiet' (options of the server go after --)\n",
    });
  });

  it('reports why the server ended, with its standard error', async () => {
    const broken = 'console.error("broken"); process.exit(3)';
    const { code, stderr } = await outcomeOf(start(['mcp', '--', process.execPath, '-e', broken], { cwd: folder() }));
    expect(code).to.equal(1);
    expect(stderr).to.contain('broken').and.contain('The MCP server exited with code 3');
  });

  it('ends with its server on a signal', async () => {
    // Although its client keeps the pipe open. Open handles get three seconds. A busy machine may need as long.
    let took = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 3 && took >= 2_800; tries++) {
      const child = start(['mcp', '--log-level', 'error', ...SERVER], { cwd: folder() });
      const ended = outcomeOf(child);
      child.stdin?.write(initialize);
      await once(createInterface({ input: child.stdout! }), 'line');
      const began = performance.now();
      child.kill('SIGTERM');
      expect((await ended).code).to.equal(143);
      took = performance.now() - began;
    }
    expect(took).to.be.below(2_800);
  });

  it('ends on a signal although its client does not read', async () => {
    const child = start(['mcp', '--log-level', 'error', ...SERVER], { cwd: folder() });
    const ended = once(child, 'exit');
    child.stdin?.write(initialize + request(2, 'x/large', {}));
    // More than the capacity of a pipe, so it is never read to the end.
    await once(child.stdout!, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 30_000).unref();
    expect(await ended).to.deep.equal([143, null]);
  });

  it('connects to a server over HTTP with headers from environment variables', async () => {
    const server = await handMade();
    const cwd = folder();
    const at = ['mcp', '--url', server.url, '--header', 'X-Key: a ${OWN_KEY}'];
    const { code, stdout } = await hookline(at, {
      cwd,
      env: { OWN_KEY: 'key-of-mine' },
      input: initialize + call(2, 'echo'),
    });
    expect(code).to.equal(0);
    expect(stdout).to.contain('"done"');
    expect(server.of('tools/call').map(({ headers }) => headers['x-key'])).to.deep.equal(['a key-of-mine']);
    const missing = await hookline(at, { cwd });
    expect(missing).to.include({ code: 2, stdout: '' });
    expect(missing.stderr).to.contain('OWN_KEY').and.contain('X-Key');
    await server.close();
  });

  it('listens for clients over HTTP until it is stopped', async () => {
    const server = await handMade();
    const child = start(['mcp', '--url', server.url, '--listen', '127.0.0.1:0'], { cwd: folder() });
    const ended = once(child, 'close');
    const url = await new Promise<string>((resolve) =>
      createInterface({ input: child.stderr! }).on('line', (line) => {
        const [, said] = /^listening: (.*)$/.exec(line) ?? [];
        if (said !== undefined) resolve(said);
      }),
    );
    const client = clientOf(url, {});
    await client.start();
    expect((await answerOf(await client.call('echo'))).result.content[0].text).to.equal('done');
    child.kill('SIGTERM');
    expect((await ended)[0]).to.equal(143);
    expect(server.got.filter(({ method }) => method === 'DELETE')).to.have.length(1);
    await server.close();
  });

  it('starts nothing if the file for pinned tools is not writable', async () => {
    const cwd = folder();
    const { code, stdout, stderr } = await warmHookline(['mcp', '--pin', 'none/pins.json', ...SERVER], {
      cwd,
      input: initialize,
    });
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.contain('error: none/pins.json is not writable').and.contain('Use a writable file');
  });

  it('rejects invalid combinations of server and client', async () => {
    const cwd = folder();
    for (const [args, why] of [
      [['--url', 'https://a.example/mcp', ...SERVER], 'not both'],
      [['--listen', '127.0.0.1:0', ...SERVER], 'requires a server over HTTP'],
      [['--header', 'A: b', ...SERVER], 'requires a server over HTTP'],
      [['--url', 'a.example'], 'error: hookline mcp: --url "a.example": must be an https: or http: URL'],
      [['--url', 'https://me:secret-of-mine@a.example'], '--url: must be an https: or http: URL'],
      [['--url', 'https://a.example', '--header', 'A(: secret-of-mine'], '--header: must have valid header names'],
      [['--url', 'https://a.example', '--header', 'A: secret-of-mine\nB: c'], '--header A: must be one line'],
      [['--url', 'https://a.example', '--listen', 'here'], 'not an address'],
      [['--url', 'https://a.example', '--header', 'secret-of-mine'], 'Name: value'],
      [['--url', 'https://a.example', '--allowed-host', 'a.example'], '--allowed-host requires --listen'],
      [['--allowed-host', 'a.example', ...SERVER], '--allowed-host requires a server over HTTP'],
      [['--ask-timeout', '2592000', ...SERVER], 'at most 2000000'],
    ] as const) {
      const { code, stderr } = await warmHookline(['mcp', ...args], { cwd });
      expect(code, why).to.equal(2);
      expect(stderr).to.contain(why).and.not.contain('secret-of-mine');
      expect(stderr.trim().split('\n')).to.have.length(1);
    }
  });
});
