import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { wrapToml } from '../../../lib/cli/mcp/wrap-toml.ts';
import { folder } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const SETTINGS = `# mine
model = "o4"

[mcp_servers.files] # the files
command = 'npx' # not pnpm
args = [
  "-y", # yes
  "server",
  '.',
]
env = { KEY = "value-of-key" }
startup_timeout_sec = 20

[mcp_servers."with space"]
command = "serve"

[mcp_servers.far]
url = "https://example.com/mcp"

[mcp_servers.dotted.env]
A = "b"

[tools]
args = ["not", "mine"]
`;
type Servers = Record<string, { command: string; args?: string[] }>;
const servers = (text: string) => parse(text)['mcp_servers'] as Servers;

const PROXY = ['/bin/node', '/opt/hookline/dist/cli/main.js', 'mcp', '--preset', 'safe'];
const wrap = (text: string, unwrap = false, proxy = PROXY) => wrapToml(text, { file: 'config.toml', proxy, unwrap });

describe('hookline mcp wrap, settings of Codex', () => {
  it('puts the proxy before each command, and keeps comments, order and everything else', () => {
    const { text, changes, left } = wrap(SETTINGS);
    expect(changes.map(({ name, after }) => [name, after.join(' ')])).to.deep.equal([
      ['files', `${PROXY.join(' ')} -- npx -y server .`],
      ['with space', `${PROXY.join(' ')} -- serve`],
    ]);
    expect(left.map(({ name }) => name)).to.deep.equal(['far', 'dotted']);
    for (const kept of [
      '# mine',
      '# the files',
      '# not pnpm',
      '"-y", # yes',
      'env = { KEY = "value-of-key" }',
      'args = ["not", "mine"]',
    ])
      expect(text).to.contain(kept);
    const [before, after] = [parse(SETTINGS), parse(text)];
    expect(Object.keys(servers(text))).to.deep.equal(Object.keys(servers(SETTINGS)));
    for (const { name, after: words } of changes)
      Object.assign((before['mcp_servers'] as Servers)[name]!, { command: words[0], args: words.slice(1) });
    expect(after).to.deep.equal(before);
  });

  it('reads a byte order mark and numbers of any size', () => {
    const { text, changes } = wrap(`\ufeff[mcp_servers.a]\ncommand = "x"\nmost = 9223372036854775807\n`);
    expect(changes).to.have.length(1);
    expect(text.startsWith('\ufeff[mcp_servers.a]\ncommand = "/bin/node"\nargs = [')).to.equal(true);
  });

  it('restores the settings unchanged', () => {
    const { text } = wrap(SETTINGS);
    expect(wrap(text, true).text).to.contain('"-y", # yes');
    expect(wrap(text).changes).to.deep.equal([]);
    const back = servers(wrap(text, true).text);
    expect(back['files']).to.deep.equal(servers(SETTINGS)['files']);
    expect(back['with space']).to.deep.equal({ command: 'serve', args: [] });
  });

  it('restores servers with more arguments than the proxy before them', () => {
    const long = '[mcp_servers.a]\ncommand = "docker"\nargs = ["run", "-i", "--rm", "-e", "TOKEN", "image"]\n';
    const { text } = wrap(long, false, ['hookline', 'mcp']);
    expect(wrap(text, true).text).to.equal(long);
  });

  it('reports servers in another form by name and leaves them unchanged', () => {
    for (const text of [
      'mcp_servers = { a = { command = "x" } }\n',
      'mcp_servers.a.command = "x"\n',
      '[mcp_servers]\na = { command = "x" }\n',
      '[mcp_servers.a]\ncommand = """x"""\n',
      '[mcp_servers.a]\nnote = """\ncommand = "y"\n"""\ncommand = "x"\n',
    ]) {
      const wrapped = wrap(text);
      expect([wrapped.text, wrapped.changes], text).to.deep.equal([text, []]);
      expect(wrapped.left[0]?.why, text).to.contain('change it by hand');
    }
    for (const text of ['a = 1', 'mcp_servers = []']) expect(() => wrap(text)).to.throw('config.toml has no servers');
    expect(() => wrap('a = 1\nb = [1,,\n')).to.throw(/^config\.toml:2:\d+ \(top level\): invalid TOML: [^\n]*$/);
  });

  it('keeps all values except the command lines, with any content', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    const server = fc.record(
      { command: word, args: fc.array(word, { maxLength: 4 }), note: word },
      { requiredKeys: ['command'] },
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), server, { noNullPrototype: true }),
        word,
        (given, other) => {
          fc.pre(Object.keys(given).length > 0 && !('__proto__' in given && Object.hasOwn(given, '__proto__')));
          const before = { other, mcp_servers: given, tools: { command: other } };
          const { text, changes, left } = wrap(stringify(before));
          const wanted = structuredClone(before);
          for (const { name, after } of changes)
            Object.assign(wanted.mcp_servers[name]!, { command: after[0], args: after.slice(1) });
          expect(parse(text)).to.deep.equal(wanted);
          expect(changes.length + left.length).to.equal(Object.keys(given).length);
          expect(left.filter(({ name }) => /^[\w-]+$/.test(name))).to.deep.equal([]);
        },
      ),
    );
  });

  it('shows changes without values, and writes them with --write', async () => {
    const cwd = folder({ 'config.toml': SETTINGS });
    const shown = await hookline(['mcp', 'wrap', 'config.toml'], { cwd });
    expect(shown).to.include({ code: 0, stderr: '' });
    expect(shown.stdout).to.contain('- ["npx","-y","server","."]').and.not.contain('value-of');
    await hookline(['mcp', 'wrap', 'config.toml', '--write'], { cwd });
    expect(readFileSync(join(cwd, 'config.toml.bak'), 'utf8')).to.equal(SETTINGS);
    expect(servers(readFileSync(join(cwd, 'config.toml'), 'utf8'))['files']?.args).to.include('mcp');
  });
});
