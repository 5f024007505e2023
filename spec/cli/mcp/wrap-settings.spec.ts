import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'jsonc-parser';
import { wrapSettings } from '../../../lib/cli/mcp/wrap-settings.ts';
import { folder, outcomeOf, root } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const SETTINGS = `{
  // mine
  "theme": "dark",
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "server", "."], "env": { "KEY": "value-of-key" } },
    "far": { "url": "https://example.com/mcp", "headers": { "X": "value-of-header" } }, // over HTTP
    "bare": { "command": "serve" }
  },
  "last": 1
}
`;

const PROXY = ['/bin/node', '/opt/tools/main.js', 'mcp', '--preset', 'safe'];
const wrap = (text: string, unwrap = false, proxy: readonly string[] = PROXY) =>
  wrapSettings(text, { file: 'mcp.json', proxy, unwrap });

describe('hookline mcp wrap, settings of a client', () => {
  it('reports why a server without a command is unchanged: remote only if it has a URL', () => {
    const far = { far: { url: 'https://example.com/mcp' }, farther: { httpUrl: 'https://example.com/mcp' } };
    const none = { text: { str: 'x' }, empty: {}, nothing: null, number: { command: 5 } };
    const { text, changes, left } = wrap(JSON.stringify({ mcpServers: { ...far, ...none } }));
    expect([changes, parse(text)]).to.deep.equal([[], { mcpServers: { ...far, ...none } }]);
    const remote = left.filter(({ why }) => why.includes('over HTTP')).map(({ name }) => name);
    const without = left.filter(({ why }) => why === 'it has neither a command nor a url').map(({ name }) => name);
    expect([remote, without]).to.deep.equal([Object.keys(far), Object.keys(none)]);
  });

  it('puts the proxy before each command, and keeps comments, order and everything else', () => {
    const { text, changes, left } = wrap(SETTINGS);
    expect(changes.map(({ after }) => after.join(' '))).to.deep.equal([
      '/bin/node /opt/tools/main.js mcp --preset safe -- npx -y server .',
      '/bin/node /opt/tools/main.js mcp --preset safe -- serve',
    ]);
    expect(left.map(({ name }) => name)).to.deep.equal(['far']);
    expect(text).to.contain('// mine').and.contain('// over HTTP');
    const [before, after] = [parse(SETTINGS), parse(text)];
    expect(Object.keys(after)).to.deep.equal(Object.keys(before));
    expect([after.mcpServers.far, after.mcpServers.files.env]).to.deep.equal([
      before.mcpServers.far,
      before.mcpServers.files.env,
    ]);
  });

  it('leaves wrapped servers unchanged, and restores them with unwrap', () => {
    const { text } = wrap(SETTINGS);
    expect(wrap(text).changes).to.deep.equal([]);
    expect(wrap(text, true).text).to.contain('"bare": { "command": "serve" }\n');
    expect(parse(wrap(text, true).text).mcpServers).to.deep.equal(parse(SETTINGS).mcpServers);
    expect(wrap(SETTINGS, true).changes).to.deep.equal([]);
  });

  it('keeps comments in arguments, white space, numbers and a byte order mark in both directions', () => {
    const text = `\ufeff{
    "mcpServers": {
        "a": {
            "command": "npx", // starts it
            "args": [
                "-y", // no questions
                8080
            ]
        }
    },
    "servers": { "b": { "command": "x", "args": [/* none */] } }
}`;
    const wrapped = wrap(text);
    expect(wrapped.changes.map(({ name }) => name)).to.deep.equal(['a', 'b (servers)']);
    for (const kept of ['// starts it', '"-y", // no questions\n                8080', '/* none */'])
      expect(wrapped.text).to.contain(kept);
    expect(parse(wrapped.text.slice(1)).mcpServers.a.args).to.deep.equal([...PROXY.slice(1), '--', 'npx', '-y', 8080]);
    expect(wrap(wrapped.text, true).text).to.match(/"args": \[\s*"-y", \/\/ no questions\n {16}8080\n/);
    expect(wrap(wrap(wrapped.text, true).text).text).to.equal(wrapped.text);
    expect(wrapped.text.startsWith('\ufeff{\n    "mcpServers"')).to.equal(true);
  });

  it('leaves servers unchanged if the place of a comma is ambiguous', () => {
    const { text } = wrap('{"mcpServers":{"a":{"command":"npx","args":["x"]},"b":{"command":"y"}}}');
    for (const comment of ['// the server\n', '/* the server */']) {
      const commented = text.replace('"npx"', `"npx" ${comment}`);
      const unwrapped = wrap(commented, true);
      expect(unwrapped.left).to.deep.equal([
        { name: 'a', why: 'it has comments between its arguments; change it by hand' },
      ]);
      expect(parse(unwrapped.text).mcpServers).to.deep.equal({
        ...parse(commented).mcpServers,
        b: { command: 'y' },
      });
    }
  });

  it('restores servers with more arguments than the proxy before them', () => {
    const long = '{"mcpServers":{"a":{"command":"docker","args":["run","-i","--rm","-e","TOKEN","image"]}}}';
    const { text } = wrap(long, false, ['hookline', 'mcp']);
    expect(wrap(text, true).text).to.equal(long);
  });

  it('recognizes wrapped servers however the proxy is started', () => {
    const script = '/usr/lib/node_modules/hookline/dist/cli/main.js';
    for (const words of [
      ['npx', '-y', 'hookline'],
      ['npx', 'hookline@1.2.3'],
      ['/usr/bin/hookline'],
      ['node', script],
      ['node', 'C:\\x\\hookline\\dist\\cli\\main.js'],
      PROXY.slice(0, 2),
    ]) {
      const [command, ...args] = [...words, 'mcp', '--config', 'c.yaml', '--', 'serve', '--', 'x'];
      const text = JSON.stringify({ mcpServers: { a: { command, args } } });
      expect(wrap(text).changes, words.join(' ')).to.deep.equal([]);
      expect(wrap(text, true).changes[0]?.after).to.deep.equal(['serve', '--', 'x']);
    }
    const other = JSON.stringify({ mcpServers: { a: { command: 'other/cli/main.js', args: ['mcp', '--', 'serve'] } } });
    expect(wrap(other, true).changes).to.deep.equal([]);
  });

  it('supports settings of VS Code, and of Claude Code for projects', () => {
    expect(wrap('{"servers":{"a":{"command":"x"}}}').changes).to.have.length(1);
    const servers = (...names: string[]) => ({
      mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])),
    });
    const settings = { ...servers('a'), projects: { '/x': servers('a', 'b'), '/y': {}, '/z': servers() } };
    const { text, changes } = wrap(JSON.stringify(settings));
    expect(changes.map(({ name }) => name)).to.deep.equal(['a', 'a (/x)', 'b (/x)']);
    expect(parse(text).projects['/x'].mcpServers.b.args).to.deep.equal([...PROXY.slice(1), '--', 'b']);
    expect(wrap(text, true).changes).to.have.length(3);
    expect(wrap(JSON.stringify({ projects: settings.projects })).changes).to.have.length(2);
  });

  it('rejects invalid settings with file, line and column', () => {
    for (const [text, why] of [
      ['{\n  "mcpServers": {', 'mcp.json:2:18 (top level): invalid JSON: close brace expected'],
      ['{"mcpServers":{},\n"mcpServers":{}}', 'mcp.json:2:1 mcpServers: duplicate key'],
      ['{}', 'mcp.json has no servers'],
      ['[]', 'mcp.json has no servers'],
      ['{"mcpServers":[],"projects":{"/x":[]}}', 'mcp.json has no servers'],
    ] as const)
      expect(() => wrap(text), text).to.throw(why);
    expect(() => wrap('{"mcpServers":{"a":{"command":"x"}')).to.throw(/^mcp\.json:1:\d+ [^\n]*close brace expected$/);
  });

  it('starts the proxy in any folder and with any PATH', async () => {
    const cwd = folder();
    const server = join(root, 'spec/fixtures/mcp/plain-server.mjs');
    const settings = { mcpServers: { a: { command: process.execPath, args: [server] } } };
    writeFileSync(join(cwd, 'mcp.json'), JSON.stringify(settings));
    writeFileSync(join(cwd, 'c.yaml'), 'hooks: {}\n');
    await hookline(['mcp', 'wrap', 'mcp.json', '--config', 'c.yaml', '--write'], { cwd });
    const { command, args } = parse(readFileSync(join(cwd, 'mcp.json'), 'utf8')).mcpServers.a;
    expect([command, args[0], args[3]].every(isAbsolute)).to.equal(true);
    // In a checkout, node alone cannot start the script.
    if (args[0].endsWith('.ts')) return;
    const child = spawn(command, args, { cwd: folder(), env: { PATH: '/nowhere', HOME: folder() } });
    child.stdin.end(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } })}\n`,
    );
    const { code, stdout } = await outcomeOf(child);
    expect(code).to.equal(0);
    expect(stdout).to.contain('"serverInfo"');
  });

  it('adds the given options with absolute paths', async () => {
    const one = '{ "mcpServers": { "bare": { "command": "serve" } } }';
    const cwd = folder({ 'mcp.json': one, 'h.mjs': 'export default [];\n' });
    const options = ['--agent', 'a', '--user', 'u', '--trust-annotations', '--ask-timeout', '5', '--log-level', 'info'];
    const paths = ['--hooks', './h.mjs', '--hooks', 'loop-guard', '--workspace', '.', '--pin', 'p.json'];
    await hookline(['mcp', 'wrap', 'mcp.json', '--preset', 'safe', ...options, ...paths, '--write'], { cwd });
    const { args } = parse(readFileSync(join(cwd, 'mcp.json'), 'utf8')).mcpServers.bare;
    expect(args.slice(2).join(' ')).to.equal(
      `--preset safe --hooks ${join(cwd, 'h.mjs')} --hooks loop-guard --workspace ${cwd} --agent a --user u ` +
        `--trust-annotations --pin ${join(cwd, 'p.json')} --ask-timeout 5 --log-level info -- serve`,
    );
  });

  it('changes nothing if a module of the configuration is missing', async () => {
    const cwd = folder({
      'mcp.json': SETTINGS,
      'hookline.yaml': 'hooks:\n  mine: { type: module, path: ./none.mjs }\n',
    });
    const { code, stderr } = await hookline(['mcp', 'wrap', 'mcp.json', '--config', 'hookline.yaml', '--write'], {
      cwd,
    });
    expect(code).to.equal(2);
    expect(stderr).to.contain('hooks.mine: there is no such module');
    expect(readFileSync(join(cwd, 'mcp.json'), 'utf8')).to.equal(SETTINGS);
  });

  it('changes nothing if the configuration has issues, or the file is not readable or writable', async () => {
    const long = `${'x'.repeat(248)}.json`;
    const away = 'workspace: away\n';
    const wrong = 'hooks: { a: { type: permision } }\n';
    const cwd = folder({ 'mcp.json': SETTINGS, [long]: SETTINGS, 'wrong.yaml': wrong, 'away.yaml': away });
    symlinkSync('none.json', join(cwd, 'nowhere.json'));
    for (const [args, why] of [
      [['mcp.json', '--config', 'none.yaml'], 'none.yaml'],
      [['mcp.json', '--config', 'wrong.yaml', '--write'], 'wrong.yaml:1:21 hooks.a.type'],
      [['mcp.json', '--config', 'away.yaml'], 'The workspace of the configuration'],
      [['mcp.json', '--workspace', 'away'], '--workspace "away"'],
      [['mcp.json', '--pin', 'p.json', '--write'], 'a file stores the tools of one server'],
      [['mcp.json', '--hooks', './none.mjs'], '--hooks ./none.mjs: there is no such module'],
      [['mcp.json', '--url', 'https://a.example'], 'does not support --url'],
      [['mcp.json', '--header', 'A: b'], 'does not support --header'],
      [['nowhere.json'], 'nowhere.json: there is no such file'],
      [['.'], '. cannot be read: it is not a regular file'],
      [[long, '--write'], 'cannot be written, and was not changed: ENAMETOOLONG'],
    ] as const) {
      const { code, stderr } = await hookline(['mcp', 'wrap', ...args], { cwd });
      expect(code, why).to.equal(2);
      expect(stderr).to.contain(why).and.not.contain(' at ');
      expect(stderr.trim().split('\n')).to.have.length(1);
    }
    expect(readdirSync(cwd)).to.have.members(['mcp.json', long, 'wrong.yaml', 'away.yaml', 'nowhere.json']);
    expect([readFileSync(join(cwd, long), 'utf8'), readFileSync(join(cwd, 'mcp.json'), 'utf8')]).to.deep.equal([
      SETTINGS,
      SETTINGS,
    ]);
    // Settings with issues can still be unwrapped.
    expect(await hookline(['mcp', 'wrap', 'mcp.json', '--config', 'none.yaml', '--unwrap'], { cwd })).to.include({
      code: 0,
    });
  });

  it('only shows changes, without values of env and headers, until --write saves them with a backup', async () => {
    const cwd = folder({ 'mcp.json': SETTINGS, 'c.yaml': 'hooks: {}\n' });
    const file = join(cwd, 'mcp.json');
    const shown = await hookline(['mcp', 'wrap', 'mcp.json', '--config', 'c.yaml'], { cwd });
    expect(shown).to.include({ code: 0, stderr: '' });
    expect(shown.stdout).to.contain('- ["npx","-y","server","."]').and.not.contain('value-of');
    expect([readFileSync(file, 'utf8'), existsSync(`${file}.bak`)]).to.deep.equal([SETTINGS, false]);
    await hookline(['mcp', 'wrap', 'mcp.json', '--config', 'c.yaml', '--write'], { cwd });
    expect(readFileSync(`${file}.bak`, 'utf8')).to.equal(SETTINGS);
    expect(parse(readFileSync(file, 'utf8')).mcpServers.files.args).to.include.members([
      'mcp',
      '--config',
      join(cwd, 'c.yaml'),
    ]);
    expect(await hookline(['mcp', 'wrap', 'none.json'], { cwd })).to.include({ code: 2, stdout: '' });
  });
});
