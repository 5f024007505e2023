import { expect } from 'chai';
import { opencode } from '../../../../lib/cli/host-hook/dialects/opencode/opencode.ts';
import type { CallMoment } from '../../../../lib/cli/host-hook/judge/host-moment.ts';

function nameOf(tool: string, servers?: readonly string[]): string {
  const event = { host: 'opencode', event: 'tool.execute.before', sessionID: 's', callID: 'c', tool, args: {} };
  return (opencode.read({ ...event, ...(servers && { servers: [...servers] }) }) as CallMoment).use.call.name;
}

describe('a tool of MCP in opencode', () => {
  for (const [tool, servers, name] of [
    ['files_touch_all', undefined, 'mcp__files__touch_all'],
    ['files_touch', ['other'], 'mcp__files__touch'],
    ['two_words_touch', ['two', 'two_words'], 'mcp__two_words__touch'],
    ['my_files_touch', ['my.files'], 'mcp__my_files__touch'],
    ['grep', ['grep'], 'search_text'],
  ] as const)
    it(`${tool} of ${servers ?? 'an unknown server'} is named ${name}`, () => {
      expect(nameOf(tool, servers)).to.equal(name);
    });
});
