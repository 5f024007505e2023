import { join } from 'node:path';
import { expect } from 'chai';
import { createHostHooks } from '../../../lib/cli/host-hook/host-hooks.ts';
import { judgeEvent } from '../../../lib/cli/host-hook/judge/judge-event.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { folder } from '../hookline.ts';
import type { Action, FakeHost } from '../host-hook/dialects/fake-host.ts';
import { hosts } from '../host-hook/dialects/hosts.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const POLICY = `hooks:
  permission:
    type: permission
    options:
      deny: ["Bash(git push:*)", "Read(.env)", mcp__github__delete_all]
      ask: ["Bash(npm publish:*)"]
      default: allow
  words: { type: word-filter, options: { words: [swordfish], prompts: block } }
`;

/** The words of each host for a shell, a file to read, and a tool of MCP. */
const words: Readonly<Record<string, { shell: [string, string]; read: [string, string] }>> = {
  claude: { shell: ['Bash', 'command'], read: ['Read', 'file_path'] },
  codex: { shell: ['Bash', 'command'], read: ['view_image', 'path'] },
  cursor: { shell: ['Shell', 'command'], read: ['Read', 'file_path'] },
  gemini: { shell: ['run_shell_command', 'command'], read: ['read_file', 'file_path'] },
  copilot: { shell: ['Bash', 'command'], read: ['Read', 'file_path'] },
  opencode: { shell: ['bash', 'command'], read: ['read', 'filePath'] },
  windsurf: { shell: ['run_command', 'command_line'], read: ['read_code', 'file_path'] },
  kiro: { shell: ['execute_bash', 'command'], read: ['fs_read', 'path'] },
};

const actions: readonly Action[] = [
  { does: 'shell', command: 'git status' },
  { does: 'shell', command: 'git push --force' },
  { does: 'shell', command: 'npm publish' },
  { does: 'shell', command: 'HOOKLINE_X=1 ls' },
  { does: 'read', path: '.env' },
  { does: 'read', path: 'a.txt' },
  { does: 'mcp', server: 'github', tool: 'delete_all', input: {} },
  { does: 'mcp', server: 'github', tool: 'list', input: {} },
];

function callOf(host: string, action: Action): JsonObject {
  const { shell, read } = words[host]!;
  if (action.does === 'mcp') return { tool: `mcp__${action.server}__${action.tool}`, input: action.input };
  const [[tool, field], value] =
    action.does === 'shell' ? [shell, action.command] : [read, action.does === 'read' ? action.path : ''];
  return { tool, input: { [field]: value } };
}

const tested = async (at: string, cases: readonly object[]) => {
  const more = folder({ 'p.cases.json': JSON.stringify({ policy: `${at}/p.yaml`, cases }) });
  const { stdout, stderr, code } = await hookline(['test', `${more}/p.cases.json`, '--format', 'json'], { cwd: at });
  return { code, stderr, report: stdout === '' ? undefined : JSON.parse(stdout) };
};

/** Returns what a host does with the answer of its hook. Kiro has no answer to a prompt. */
async function decided(at: string, { dialect, obey }: FakeHost, event: JsonObject | undefined): Promise<string> {
  if (!event) return 'allow';
  const hooks = createHostHooks({ config: [join(at, 'p.yaml')], hooks: [] }, dialect.host, false);
  const text = JSON.stringify(event).replaceAll('/w/shop', at);
  const answer = await judgeEvent(hooks, dialect, text, {
    signal: new AbortController().signal,
    begin() {},
    ask: 'ask',
  });
  await hooks.close();
  return { run: 'allow', refuse: 'deny', ask: 'ask' }[obey(event, answer).does];
}

describe('a case of hookline test with a host', () => {
  const { XDG_STATE_HOME: state } = process.env;
  before(() => {
    process.env['XDG_STATE_HOME'] = folder({});
  });
  after(() => {
    if (state === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = state;
  });

  for (const host of hosts) {
    const name = host.dialect.host;
    it(`is decided as by hookline hook --as ${name}`, async () => {
      const at = folder({ 'p.yaml': POLICY });
      const possible = actions.filter((action) => host.call(action) !== undefined);
      const cases = possible.map((action) => ({ host: name, call: callOf(name, action), expect: 'allow' }));
      const prompts = ['swordfish', 'hello'].map((prompt) => ({ host: name, prompt, expect: 'allow' }));
      const { report, stderr } = await tested(at, [...cases, ...prompts]);
      const got = report?.cases.map(({ outcome }: { outcome: { action: string } }) => outcome.action);
      const events = [...possible.map((action) => host.call(action)), host.prompt('swordfish'), host.prompt('hello')];
      const wanted = await Promise.all(events.map((event) => decided(at, host, event)));
      expect(got, stderr).to.deep.equal(wanted);
      expect(new Set(got)).to.include.keys('allow', 'deny');
    });
  }

  it('names the hook and the rule, the floor of the host included', async () => {
    const at = folder({ 'p.yaml': POLICY });
    const bash = (command: string) => ({ tool: 'Bash', input: { command } });
    const { code, report, stderr } = await tested(at, [
      {
        host: 'codex',
        call: bash('npm publish'),
        expect: { action: 'deny', by: 'permission', rule: 'Bash(npm publish:*)', reason: 'no approval prompts' },
      },
      { host: 'claude', call: bash('npm publish'), expect: { action: 'ask', rule: 'Bash(npm publish:*)' } },
      {
        host: 'claude',
        call: { tool: 'Write', input: { file_path: `${at}/p.yaml`, content: '' } },
        expect: { action: 'deny', by: 'host-floor' },
      },
      { host: 'claude', user: 'ada', result: { tool: 'Bash', input: {}, content: 'ok' }, expect: 'allow' },
      { host: 'claude', call: { tool: 'Bash', input: {} }, expect: { action: 'deny', by: 'host-floor' } },
      {
        host: 'gemini',
        call: { tool: 'run_shell_command' },
        expect: { action: 'deny', reason: 'has no text "command"' },
      },
    ]);
    expect(code, JSON.stringify(report?.cases) + stderr).to.equal(0);
    const wrong = await tested(at, [{ host: 'codex', call: bash('npm publish'), expect: 'ask' }]);
    expect(wrong.report.cases[0].problems[0]).to.match(/^expected ask, got deny by [\w-]+ \(This host has no approval/);
  });

  for (const [what, given, problem] of [
    [
      'an unknown host',
      { host: 'claud', prompt: 'a' },
      /p\.cases\.json:1:\d+ cases\[0\]\.host: .*"claude"\|"codex".*got "claud".*Did you mean "claude"/,
    ],
    ['an agent', { host: 'claude', agent: 'a', prompt: 'a' }, /cases\[0\]\.agent: has no effect with host/],
    [
      'a permission',
      { host: 'claude', call: { tool: 'Bash', permission: 'read' } },
      /cases\[0\]\.host: decides the permission/,
    ],
  ] as const)
    it(`is rejected with ${what}`, async () => {
      const { code, stderr } = await tested(folder({ 'p.yaml': POLICY }), [{ ...given, expect: 'allow' }]);
      expect(code).to.equal(2);
      expect(stderr).to.match(problem);
    });
});
