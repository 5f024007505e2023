import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'jsonc-parser';
import { wrapSettings } from '../../../lib/cli/mcp/wrap-settings.ts';
import { folder, hookline } from '../hookline.ts';

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

describe('the settings of a client, wrapped', () => {
  it('get the proxy before each command, and keep comments, order and everything else', () => {
    const { text, changes, left } = wrapSettings(SETTINGS, ['--preset', 'safe'], false);
    expect(changes.map(({ after }) => after.join(' '))).to.deep.equal([
      'npx -y hookline mcp --preset safe -- npx -y server .',
      'npx -y hookline mcp --preset safe -- serve',
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

  it('are left where they are wrapped, and come back as they were', () => {
    const { text } = wrapSettings(SETTINGS, [], false);
    expect(wrapSettings(text, [], false).changes).to.deep.equal([]);
    const { args: _, ...bare } = parse(wrapSettings(text, [], true).text).mcpServers.bare;
    expect(bare).to.deep.equal({ command: 'serve' });
    expect(parse(wrapSettings(text, [], true).text).mcpServers.files).to.deep.equal(parse(SETTINGS).mcpServers.files);
    expect(wrapSettings(SETTINGS, [], true).changes).to.deep.equal([]);
  });

  it('of VS Code are understood, and what is no settings is refused', () => {
    expect(wrapSettings('{"servers":{"a":{"command":"x"}}}', [], false).changes).to.have.length(1);
    for (const text of ['{', '{}', '[]', '{"mcpServers":[]}'])
      expect(() => wrapSettings(text, [], false)).to.throw('The settings');
  });

  it('are only shown, without values of env and headers, until --write writes them and keeps the old file', async () => {
    const cwd = folder({ 'mcp.json': SETTINGS, 'c.yaml': 'hooks: {}\n' });
    const file = join(cwd, 'mcp.json');
    const shown = await hookline(['mcp', 'wrap', 'mcp.json', '--config', 'c.yaml'], { cwd });
    expect(shown).to.include({ code: 0, stderr: '' });
    expect(shown.stdout).to.contain('- ["npx","-y","server","."]').and.not.contain('value-of');
    expect([readFileSync(file, 'utf8'), existsSync(`${file}.bak`)]).to.deep.equal([SETTINGS, false]);
    await hookline(['mcp', 'wrap', 'mcp.json', '--config', 'c.yaml', '--write'], { cwd });
    expect(readFileSync(`${file}.bak`, 'utf8')).to.equal(SETTINGS);
    expect(parse(readFileSync(file, 'utf8')).mcpServers.files.args).to.include.members(['hookline', '--config']);
    expect(await hookline(['mcp', 'wrap', 'none.json'], { cwd })).to.include({ code: 2, stdout: '' });
  });
});
