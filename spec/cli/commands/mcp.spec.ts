import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { folder, hookline, outcomeOf, root, start } from '../hookline.ts';

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
  it('puts the hooks of a configuration in front of a server, and writes their audit', async () => {
    const cwd = folder({ 'hookline.yaml': CONFIG });
    const input = initialize + call(2, 'echo', { text: 'a' }) + call(3, 'look') + call(4, 'strange');
    const { code, stdout, stderr } = await hookline(['mcp', '--config', 'hookline.yaml', ...SERVER], { cwd, input });
    expect(code).to.equal(0);
    const results = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const texts = results
      .filter(({ id }) => id > 1)
      .map(({ id, result }) => [id, result.isError ?? false, result.content[0].text]);
    expect(texts.sort()).to.deep.equal([
      [2, false, 'a'],
      [3, true, texts.find(([id]) => id === 3)?.[2]],
      [4, true, texts.find(([id]) => id === 4)?.[2]],
    ]);
    expect(texts.join()).to.contain('denied by hook "rules"').and.contain('the client cannot be asked');
    expect(stderr).to.contain('audit: ');
    const audit = readFileSync(join(cwd, 'audit.jsonl'), 'utf8');
    for (const name of ['echo', 'look', 'strange']) expect(audit).to.contain(`"${name}"`);
  });

  it('refuses a wrong configuration, and a missing server, before anything is started', async () => {
    const cwd = folder({ 'wrong.yaml': 'hooks: { a: { type: permision } }\n' });
    const wrong = await hookline(['mcp', '--config', 'wrong.yaml', ...SERVER], { cwd, input: initialize });
    expect(wrong).to.include({ code: 2, stdout: '' });
    expect(wrong.stderr).to.contain('permission');
    expect(await hookline(['mcp'])).to.include({ code: 2, stdout: '' });
  });

  it('says why where the server ends, and what it says on standard error', async () => {
    const broken = 'console.error("broken"); process.exit(3)';
    const { code, stderr } = await outcomeOf(start(['mcp', '--', process.execPath, '-e', broken], { cwd: folder() }));
    expect(code).to.equal(1);
    expect(stderr).to.contain('broken').and.contain('The MCP server exited with code 3');
  });

  it('ends with its server on a signal', async () => {
    const child = start(['mcp', '--log-level', 'error', ...SERVER], { cwd: folder() });
    const ended = outcomeOf(child);
    child.stdin?.write(initialize);
    await once(createInterface({ input: child.stdout! }), 'line');
    child.kill('SIGTERM');
    expect((await ended).code).to.equal(143);
  });
});
