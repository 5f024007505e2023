import { readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { folder } from './hookline.ts';
import { warmHookline as hookline } from './warm-command.ts';

const jarvis = {
  hooks: {
    pre_tool_use: {
      handlers: [
        { type: 'audit_log' },
        { type: 'dangerous_confirmation', filter: { permissions: ['WRITE', 'EXTERNAL'] } },
      ],
    },
  },
};

describe('hookline check', () => {
  it('exits with 2 and prints every issue as file:line:col path: message', async () => {
    const at = folder({ 'c.yaml': 'hooks:\n  a: { type: audti-log }\n  b: { type: audit-log, prioritty: 1 }\n' });
    const { code, stdout, stderr } = await hookline(['check', 'c.yaml'], { cwd: at });
    expect({ code, stderr }).to.deep.equal({ code: 2, stderr: '' });
    expect(stdout.split('\n')).to.deep.equal([
      'c.yaml:2:14 hooks.a.type: unknown hook type "audti-log". Did you mean "audit-log"?',
      'c.yaml:3:25 hooks.b.prioritty: unknown key. Did you mean "priority"?',
      '',
    ]);
  });

  it('finds issues that need created hooks, and prints the same as JSON', async () => {
    const at = folder({ 'c.json': '{ "hooks": { "m": { "type": "module", "path": "./no.js" } } }' });
    const { code, stdout } = await hookline(['check', 'c.json', '--json'], { cwd: at });
    expect(code).to.equal(2);
    const { ok, issues } = JSON.parse(stdout);
    expect(ok).to.equal(false);
    expect(issues[0]).to.include({ file: 'c.json', line: 1, column: 14, path: 'hooks.m' });
    expect(issues[0].message).to.include('there is no such module');
  });

  it('prints the merged files without secrets, as an equivalent configuration', async () => {
    const secret = { hooks: { s: { type: 'security-scan', options: { key: 'correct horse' } } } };
    const at = folder({ 'jarvis.json': JSON.stringify(jarvis), 'more.json': JSON.stringify(secret) });
    const printed = await hookline(['check', 'jarvis.json', 'more.json', '--print'], { cwd: at });
    expect(printed.code).to.equal(0);
    expect(printed.stdout).not.to.include('horse');
    writeFileSync(join(at, 'printed.json'), printed.stdout);
    const again = await hookline(['check', 'printed.json', '--print'], { cwd: at });
    expect(again.stdout).to.equal(printed.stdout);
    expect(Object.keys(JSON.parse(printed.stdout).hooks)).to.deep.equal([
      'pre_tool_use.audit-log',
      'pre_tool_use.dangerous-confirmation',
      's',
    ]);
  });

  it('reports settings of another host without effect on stderr', async () => {
    const at = folder({ 'settings.json': '{ "model": "x", "hooks": { "Stop": [] } }' });
    const { code, stdout, stderr } = await hookline(['check', 'settings.json'], { cwd: at });
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: '' });
    expect(stderr).to.match(/^notice: settings\.json:1:3 model: a setting of Claude Code without effect in Hookline/);
  });

  it('reports later files that would disable an approver, and allows them with --allow-weaker', async () => {
    const guard = { type: 'permission', options: { deny: ['Read(.env)'] } };
    const at = folder({
      'a.json': JSON.stringify({ hooks: { guard } }),
      'b.json': '{ "hooks": { "guard": { "options": { "deny": [] } } } }',
    });
    const print = ['check', 'a.json', 'b.json', '--print'];
    const kept = await hookline(print, { cwd: at });
    expect(kept.stderr).to.match(/^notice: b\.json:1:38 hooks\.guard\.options\.deny: has no effect/);
    expect(JSON.parse(kept.stdout).hooks.guard).to.deep.equal(guard);
    const weaker = await hookline([...print, '--allow-weaker'], { cwd: at });
    expect(weaker.stderr).to.equal('');
    expect(JSON.parse(weaker.stdout).hooks.guard.options).to.deep.equal({ deny: [] });
  });

  it('reports events and handlers of Claude Code that will not run, with their places', async () => {
    const handler = { type: 'command', command: 'true' };
    const hooks = { PreCompact: [{ hooks: [handler] }], BudgetSpent: [{ hooks: [handler] }] };
    const at = folder({ 'settings.json': JSON.stringify({ hooks }) });
    const { code, stdout } = await hookline(['check', 'settings.json', '--json'], { cwd: at });
    expect(code).to.equal(0);
    const { notices } = JSON.parse(stdout);
    expect(notices.map(({ path, column }: { path: string; column: number }) => [path, column])).to.deep.equal([
      ['hooks.PreCompact', 24],
      ['hooks.BudgetSpent', 88],
    ]);
    for (const { message } of notices) expect(message).to.include('never happens here');
  });
});

describe('hookline, for hooks without effect in their host', () => {
  const config = {
    hooks: {
      typo: { type: 'security-scan', match: { tools: ['write_flie'] } },
      limits: { type: 'loop-guard' },
    },
  };

  it('reports probable typing errors in check, and all settings without effect with --for', async () => {
    const at = folder({ 'c.json': JSON.stringify(config) });
    const plain = await hookline(['check', 'c.json'], { cwd: at });
    expect(plain).to.include({ code: 0 });
    expect(plain.stderr).to.match(
      /^notice: c\.json:1:\d+ hooks\.typo\.match\.tools\[0\]: .* Did you mean "write_file"\?\n$/,
    );
    const mcp = await hookline(['check', 'c.json', '--for', 'mcp'], { cwd: at });
    expect(mcp.stderr).to.match(/^notice: c\.json:1:\d+ hooks\.limits\.type: has no effect in hookline mcp: .*\n$/);
  });

  it('reports them when a run starts', async () => {
    const at = folder({ 'c.json': JSON.stringify(config), 'a.txt': 'x' });
    const { code, stderr } = await hookline(['run', 'read a.txt', '--config', 'c.json'], { cwd: at });
    expect(code).to.equal(0);
    expect(stderr).to.match(/"message":"matches no call: hookline run has no tool named \\"write_flie\\"/);
  });
});

describe('hookline check, for hooks that write files', () => {
  it('reports a file that two hooks would overwrite, however it is named', async () => {
    const at = folder({
      'c.yaml': [
        'hooks:',
        '  a: { type: streaming, options: { file: out.jsonl } }',
        '  b: { type: streaming, options: { file: ./x/../out.jsonl } }',
        '  c: { type: monitor, options: { file: m.prom } }',
        '  d: { type: monitor, options: { file: m.prom }, enabled: false }',
      ].join('\n'),
    });
    const { code, stderr } = await hookline(['check', 'c.yaml'], { cwd: at });
    expect(code).to.equal(0);
    expect(stderr).to.equal(
      'notice: c.yaml:3:42 hooks.b.options.file: is also the file of "a". Use a separate file for each hook.\n',
    );
  });
});

describe('hookline list', () => {
  it('lists the active hooks in running order, then the available kinds', async () => {
    const at = folder({ 'c.json': JSON.stringify(jarvis) });
    const { code, stdout } = await hookline(['list', '--config', 'c.json', '--json'], { cwd: at });
    expect(code).to.equal(0);
    const { kinds, hooks } = JSON.parse(stdout);
    expect(kinds.map(({ name }: { name: string }) => name)).to.include.members([
      'process',
      'command',
      'module',
      ...builtIns.map(({ name }) => name),
    ]);
    expect(hooks.map(({ name, enabled, type }: Record<string, unknown>) => ({ name, enabled, type }))).to.deep.equal([
      { name: 'dangerous-confirmation', enabled: true, type: 'dangerous-confirmation' },
      { name: 'pre_tool_use.audit-log', enabled: true, type: 'audit-log' },
      { name: 'pre_tool_use.dangerous-confirmation', enabled: true, type: 'dangerous-confirmation' },
      { name: 'audit-log', enabled: true, type: 'audit-log' },
    ]);
    const plain = await hookline(['list']);
    expect(plain.stdout).to.match(
      /^active hooks, in running order:\n {2}dangerous-confirmation +10 {2}dangerous-confirmation\n {2}audit-log +500 {2}audit-log\n/,
    );
  });
});

describe('hookline explain', () => {
  it('prints the decision about a call in a fixed format, without running or writing anything', async () => {
    const at = folder();
    const call = ['explain', '--tool', 'run_command', '--input', '{"command":"rm -rf x; touch ran"}'];
    const state = join(at, 'state');
    const { code, stdout } = await hookline([...call, '--json'], { cwd: at, env: { XDG_STATE_HOME: state } });
    expect(code).to.equal(0);
    const { decision, toolCall, steps } = JSON.parse(stdout);
    expect(decision).to.deep.include({ action: 'ask', by: 'dangerous-confirmation' });
    expect(toolCall).to.deep.include({ name: 'run_command', input: { command: 'rm -rf x; touch ran' } });
    expect(steps).to.have.length(1);
    expect(steps[0]).to.include({ hook: 'dangerous-confirmation', priority: 10, stage: 'approve', effect: 'decided' });
    expect(steps[0].ms).to.be.a('number');
    expect(readdirSync(at)).to.deep.equal([]);
  });

  it('calls the programs of process hooks only with --live', async () => {
    const hook = `require('node:fs').writeFileSync('started', '');
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        const result = method === 'hook.hello' ? {} : { action: 'deny_tool', reason: 'not today' };
        if (id) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
      });`;
    const config = {
      hooks: {
        plugin: { type: 'process', options: { command: [process.execPath, 'hook.js'], intercept: ['before_tool'] } },
      },
    };
    const at = folder({ 'hook.js': hook, 'c.json': JSON.stringify(config) });
    const call = ['explain', '--tool', 'deploy', '--permission', 'external', '--config', 'c.json'];
    const still = await hookline(call, { cwd: at });
    expect(still.stdout)
      .to.match(/^proceed\n/)
      .and.match(/plugin +runs a program, which was not started/);
    expect(readdirSync(at)).not.to.include('started');
    const live = await hookline([...call, '--live'], { cwd: at });
    expect(live.stdout).to.match(/^deny by plugin: .*not today/);
  });

  it('uses the given user, session and iteration, and fails for an unknown tool', async () => {
    const rule = `module.exports = require('hookline').defineHook({ name: 'rule', approve: ({ run, iteration }) =>
      ({ verdict: 'denied', reason: [run.userId, run.sessionId, iteration].join() }) });`;
    const at = folder({ 'rule.js': rule });
    const asked = ['--user', 'mallory', '--session', 's', '--iteration', '3', '--hooks', './rule.js'];
    const known = await hookline(['explain', '--tool', 'read_file', '--input', '{"path":"a"}', ...asked], { cwd: at });
    expect(known.stdout).to.match(/^deny by rule: mallory,s,3\n/);
    const missing = await hookline(['explain', '--tool', 'raed_file'], { cwd: at });
    expect(missing.code).to.equal(2);
    expect(missing.stdout).to.match(/^fail: .*raed_file/);
    const misfit = await hookline(['explain', '--tool', 'write_file', '--input', '{}'], { cwd: at });
    expect(misfit.code).to.equal(2);
    expect(misfit.stdout).to.match(/^fail: The input of tool "write_file" is invalid/);
  });

  it('rejects an input that is not a JSON object', async () => {
    const [broken, list] = await Promise.all([
      hookline(['explain', '--tool', 'x', '--input', '{']),
      hookline(['explain', '--tool', 'x', '--input', '[1]']),
    ]);
    expect([broken.code, list.code]).to.deep.equal([2, 2]);
    expect(broken.stderr).to.match(/^error: --input "\{" is not a JSON object: /);
    expect(list.stderr).to.equal('error: --input "[1]" is not a JSON object: it is not an object.\n');
  });
});

describe('hookline schema', () => {
  it('prints a JSON Schema with the options of every kind', async () => {
    const { code, stdout } = await hookline(['schema']);
    expect(code).to.equal(0);
    const schema = JSON.parse(stdout);
    expect(schema).to.include({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' });
    const kinds = schema.properties.hooks.additionalProperties.anyOf;
    expect(
      kinds.map((kind: { properties: { type?: { const: string } } }) => kind.properties.type?.const),
    ).to.deep.equal(['process', 'command', 'module', ...builtIns.map(({ name }) => name), undefined]);
  });
});

describe('hookline run --config', () => {
  it('uses model, tools, workspace and hooks of the file, overridden by the command line', async () => {
    const config = `
model: script:turns.json
workspace: work
tools: [read_*]
agent: { name: reader, instructions: Read. }
hooks:
  audit: { type: audit-log, options: { file: audit.jsonl } }
`;
    const turns = [
      { toolCalls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
      { toolCalls: [{ name: 'write_file', input: { path: 'a.txt', content: 'x' } }] },
      { text: 'done' },
    ];
    const at = folder({ 'c.yaml': config, 'turns.json': JSON.stringify(turns), 'work/a.txt': 'the text' });
    const { code, stdout, stderr } = await hookline(['run', 'go', '--config', 'c.yaml', '--json'], {
      cwd: at,
      env: { XDG_STATE_HOME: join(at, 'state') },
    });
    expect(code).to.equal(0);
    expect(readdirSync(at), 'the audit that is always on stands beside').to.include('state');
    expect(stderr).to.match(
      new RegExp(`audit: ${at}/state/hookline/work-\\w{8}/audit\\.jsonl\naudit: ${at}/audit\\.jsonl\n$`),
    );
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0].run.agent).to.equal('reader');
    const results = events.filter(({ type }) => type === 'postActing').map(({ result }) => result.content);
    expect(results[0]).to.include('the text');
    expect(results[1]).to.include('There is no tool "write_file"');
    expect(readFileSync(join(at, 'audit.jsonl'), 'utf8'))
      .to.include('tool_call_end')
      .and.include('call_end');
    const other = await hookline(['run', 'list the files in .', '--config', 'c.yaml', '--model', 'offline'], {
      cwd: at,
    });
    expect(other.code).to.equal(0);
  });

  const place = 'printf "%s %s " "$(pwd)" "$CLAUDE_PROJECT_DIR" > "$OUT"; cat >> "$OUT"';
  const scripts = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: place }] }] } };

  for (const [what, config, expected] of [
    ['in the workspace', scripts, 'work'],
    [
      'in the folder of their cwd option',
      { hooks: { c: { type: 'command', options: { settings: scripts, cwd: 'other' } } } },
      'other',
    ],
  ] as const) {
    it(`runs scripts of Claude Code ${what}`, async () => {
      const files = { 'c.json': JSON.stringify(config), 'w.json': '{"workspace":"work","hooks":{}}' };
      const at = realpathSync(folder({ ...files, 'work/a.txt': 'x', 'other/b.txt': 'x' }));
      const env = { OUT: join(at, 'out') };
      for (const args of [
        ['run', 'read a.txt', '--workspace', 'work', '--config', 'c.json'],
        [
          'explain',
          '--live',
          '--tool',
          'read_file',
          '--input',
          '{"path":"a.txt"}',
          '--config',
          'c.json',
          '--config',
          'w.json',
        ],
      ]) {
        expect(await hookline(args, { cwd: at, env })).to.include({ code: 0 });
        const [cwd, project, ...input] = readFileSync(env.OUT, 'utf8').split(' ');
        expect([cwd, project]).to.deep.equal([join(at, expected), join(at, expected)]);
        expect(JSON.parse(input.join(' ')).cwd).to.equal(join(at, expected));
        rmSync(env.OUT);
      }
    });
  }

  it('rejects an invalid file with all its issues before anything runs', async () => {
    const at = folder({ 'c.json': '{ "hooks": { "a": { "type": "audti-log" }, "b": {} } }' });
    const { code, stdout, stderr } = await hookline(['run', 'go', '--config', 'c.json'], { cwd: at });
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.match(
      /^error: 2 issues:\nc\.json:1:29 hooks\.a\.type: .*\nc\.json:1:44 hooks\.b: type is missing/,
    );
  });

  it('rejects an unknown tool', async () => {
    const at = folder({ 'c.json': '{ "tools": ["read_fiel"] }' });
    const { code, stderr } = await hookline(['run', 'go', '--config', 'c.json'], { cwd: at });
    expect(code).to.equal(2);
    expect(stderr).to.include('the tool "read_fiel", which does not exist. Did you mean "read_file"?');
  });
});
