import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { claudeHooks } from 'hookline/process-hooks';
import { createScene, on } from '../scene.ts';

const scene = createScene('claude-settings');
const load = (handler: object) => claudeHooks({ hooks: { PreToolUse: [{ hooks: [handler] }] } } as never);

describe('Claude Code settings', () => {
  for (const [handler, issue] of [
    [{ type: 'command', command: 'x', timeout: '5' }, /expected number.*\n.*hooks\[0\]\.timeout/],
    [{ type: 'command' }, /expected string.*\n.*hooks\[0\]\.command/],
    [{ type: 'http', url: 'x' }, /Invalid URL.*\n.*hooks\[0\]\.url/],
    [{ type: 'prompt', prompt: 5 }, /expected string.*\n.*hooks\[0\]\.prompt/],
    [{ type: 'comand', command: 'x' }, /did you mean "command".*\n.*hooks\[0\]\.type/],
  ] as const)
    it(`reports issues of ${JSON.stringify(handler)} with their path`, () => {
      expect(() => load(handler)).to.throw(issue);
    });

  for (const [name, issue] of [
    ['PreToolUse', /an event goes into "hooks".*\n.*at PreToolUse/],
    ['hook', /did you mean "hooks"\?.*\n.*at hook/],
    ['Hooks', /did you mean "hooks"\?/],
  ] as const)
    it(`rejects hooks under ${name}, where they would never run`, () => {
      const groups = [{ hooks: [{ type: 'command', command: 'exit 2' }] }];
      const settings = { [name]: name === 'PreToolUse' ? groups : { PreToolUse: groups } };
      expect(() => claudeHooks(settings)).to.throw(issue);
    });

  it('accepts fields other than hooks', () => {
    expect(() =>
      claudeHooks({ permissions: { allow: [] }, model: 'opus', env: {}, disableAllHooks: false }),
    ).not.to.throw();
  });

  it('accepts a byte order mark, also in the output of handlers', async () => {
    const file = join(scene.folder, 'settings.json');
    const print = `printf '\\357\\273\\277{"decision":"block","reason":"no"}'`;
    writeFileSync(file, `\uFEFF${JSON.stringify(on({ PreToolUse: print }))}`);
    const { acted, codes } = await scene.play(file);
    expect([acted?.outcome, codes]).to.deep.equal(['denied', []]);
  });
});
