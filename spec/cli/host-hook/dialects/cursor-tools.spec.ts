import { expect } from 'chai';
import { mcpName } from '../../../../lib/cli/host-hook/dialects/cursor/tools.ts';

describe('a tool of MCP in Cursor', () => {
  for (const [server, name] of [
    ['npx -y @modelcontextprotocol/server-github', 'github'],
    ['npx -y @modelcontextprotocol/server-github@1.2.3', 'github'],
    ['uvx mcp-server-git --repository /w', 'git'],
    ['node /opt/tools/files.js', 'files'],
    ['docker run -i --rm mcp/postgres', 'postgres'],
    ['https://mcp.linear.app/sse', 'linear'],
    ['http://localhost:3000/mcp', 'unknown'],
    ['github-mcp-server stdio', 'github'],
  ] as const) {
    it(`of ${server} is named ${name}`, () => expect(mcpName('list', server)).to.equal(`mcp__${name}__list`));
  }

  it('of an unknown server has no server name, and other tools keep theirs', () => {
    expect([mcpName('MCP:list'), mcpName('Shell')]).to.deep.equal(['mcp__unknown__list', undefined]);
  });
});
