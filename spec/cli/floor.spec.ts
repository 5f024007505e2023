import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder } from './hookline.ts';
import { warmHookline as hookline } from './warm-command.ts';

const type = 'dangerous-confirmation';
const scan = { scan: { type: 'security-scan' } };

/** Configurations that silently disabled the confirmation. */
const configurations: Readonly<Record<string, readonly object[]>> = {
  'for another agent, in a second file': [{ hooks: scan }, { hooks: { mine: { type, match: { agents: ['other'] } } } }],
  'that is disabled': [{ hooks: { mine: { type, enabled: false } } }],
  'disabled under its own name': [{ hooks: { [type]: { type, enabled: false } } }],
  'for another tool': [{ hooks: { mine: { type, match: { tools: ['deploy'] } } } }],
  'for no permissions': [{ hooks: { mine: { type, options: { permissions: [] } } } }],
  'in JARVIS format, for another tool': [
    { hooks: { pre_tool_use: { handlers: [{ type, filter: { tools: ['write_file'] } }] } } },
  ],
  'in JARVIS format, with its phase disabled': [{ hooks: { pre_tool_use: { enabled: false, handlers: [{ type }] } } }],
};

describe('the confirmation hook that is always on', () => {
  const script = JSON.stringify([{ toolCalls: [{ name: 'delete_file', input: { path: 'n.txt' } }] }, { text: 'done' }]);
  const project = (files: readonly object[]) => {
    const configs = files.map((file, nth) => [`${nth}.json`, JSON.stringify(file)] as const);
    const at = folder({ 's.json': script, 'ws/n.txt': 'text', ...Object.fromEntries(configs) });
    return { at, config: configs.flatMap(([name]) => ['--config', name]) };
  };

  for (const [what, files] of Object.entries(configurations))
    it(`applies in run next to a hook ${what}`, async () => {
      const { at, config } = project(files);
      const args = ['run', 'go', '--model', 'script:s.json', '--workspace', 'ws', '--approve', 'no', ...config];
      await hookline(args, { cwd: at });
      expect(existsSync(join(at, 'ws/n.txt'))).to.equal(true);
    });

  it('applies in a hook of Claude Code', async () => {
    const { at, config } = project([{ hooks: { mine: { type, enabled: false } } }]);
    const input = JSON.stringify({
      session_id: 's',
      cwd: at,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf build' },
    });
    const { stdout } = await hookline(['hook', '--as', 'claude', ...config], { cwd: at, input });
    expect(stdout).to.match(/"permissionDecision":"(ask|deny)"/);
  });

  it('is disabled by weaker: true at its name and by --preset none', async () => {
    for (const [files, ...more] of [
      [[{ hooks: { [type]: { enabled: false, weaker: true } } }]],
      [[], '--preset', 'none'],
    ] as const) {
      const { at, config } = project(files);
      const args = [
        'run',
        'go',
        '--model',
        'script:s.json',
        '--workspace',
        'ws',
        '--approve',
        'no',
        ...config,
        ...more,
      ];
      const { stderr } = await hookline(args, { cwd: at });
      expect(existsSync(join(at, 'ws/n.txt')), stderr).to.equal(false);
      expect(stderr).to.match(/weakens \\"dangerous-confirmation\\", which is always on|preset none/);
    }
  });
});
