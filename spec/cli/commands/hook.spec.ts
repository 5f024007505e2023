import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAgent, createPipeline } from '../../../lib/index.ts';
import { claudeHooks, processHook } from '../../../lib/process-hooks/index.ts';
import { recorder, scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { command, environment, folder, hookline, outcomeOf, start } from '../hookline.ts';
import { warmHookline } from '../warm-command.ts';

const rules = `hooks:
  permission:
    type: permission
    options:
      allow: ["run_command(ls:*)"]
      deny: ["run_command(rm:*)"]
`;
/** The installed command. */
const BUILT = join(__dirname, '../../../dist/cli/main.js');
const made = folder({
  'hookline.yaml': rules,
  'my rules.yaml': rules,
  'typo.yaml': 'hooks:\n  guard:\n    type: permision\n',
  'noisy.mjs':
    "import { defineHook } from 'hookline';\nconsole.log('noise');\nexport default defineHook({ name: 'noisy', observe: () => console.log('noise') });\n",
  'broken.cjs':
    "const { on } = process;\nprocess.on = function (name, ...rest) { if (name === 'unhandledRejection') throw new Error('broken here'); return on.call(this, name, ...rest); };\n",
  'stray.mjs':
    "import { defineHook } from 'hookline';\nexport default defineHook({ name: 'stray', timeoutMs: 60000, on: { preActing: () => void Promise.reject(new Error('stray')), postActing: () => { Promise.reject(new Error('stray')); return new Promise(() => {}); } } });\n",
  'endless.mjs': 'setInterval(() => {}, 1000);\nawait new Promise(() => {});\n',
  'spinning.cjs':
    "const { defineHook, verdict } = require('hookline');\nmodule.exports = defineHook({ name: 'spins', timeoutMs: 600000, approve() { const until = Date.now() + Number(process.env.SPIN_MS); while (Date.now() < until); return verdict.allow(); } });\n",
  'exits.cjs': 'process.exit(0);\n',
  'leaves.cjs':
    "const { defineHook } = require('hookline');\nconst leave = () => process.exit(0);\nmodule.exports = defineHook({ name: 'leaves', on: { preActing: leave, postActing: leave } });\n",
  'watching.mjs':
    "import { defineHook } from 'hookline';\nexport default defineHook({ name: 'w', timeoutMs: 600000, observe: () => new Promise(() => {}) });\n",
  'slow.mjs':
    "import { defineHook } from 'hookline';\nexport default defineHook({ name: 'slow', timeoutMs: 60000, on: { preActing: () => { console.log('judging'); return new Promise(() => {}); } } });\n",
});
const event = (text: string) =>
  JSON.stringify({
    session_id: 's1',
    cwd: made,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_use_id: 't1',
    tool_input: { command: text },
  });
const ask = (args: readonly string[], input: string) =>
  hookline(['hook', '--as', 'claude', ...args], { input, cwd: made });
const install = (...args: readonly string[]) =>
  warmHookline(['hook', '--as', 'claude', ...args, '--install'], { cwd: made });
const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;
const settingsIn = (stdout: string) => JSON.parse(/^\{$.*^\}$/ms.exec(stdout)?.[0] ?? '');
const decisionOf = (stdout: string) => (stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.permissionDecision);

describe('hookline hook --as claude', () => {
  it('evaluates a call by the configuration and prints only the answer', async () => {
    const denied = await ask(['--config', 'hookline.yaml'], event('rm notes.txt'));
    expect([denied.code, decisionOf(denied.stdout)]).to.deep.equal([2, 'deny']);
    expect(denied.stderr).to.contain('denied by hook "permission"');
    const allowed = await ask(['--config', 'hookline.yaml'], event('ls'));
    expect([allowed.code, allowed.stdout]).to.deep.equal([0, '']);
  });

  for (const [what, args, input, said] of [
    ['a faulty configuration', ['--config', 'typo.yaml'], event('ls'), 'permision'],
    ['a missing configuration', ['--config', 'none.yaml'], event('ls'), 'none.yaml'],
    ['an event that is not JSON', ['--config', 'hookline.yaml'], 'hello', 'not JSON'],
    ['empty input', ['--config', 'hookline.yaml'], '', 'not JSON'],
    [
      'a hook that exceeds the timeout',
      ['--hooks', './slow.mjs', '--timeout', '1'],
      event('ls'),
      'longer than 1000 ms',
    ],
  ] as const) {
    it(`denies on ${what} unless --fail-open is set`, async () => {
      const refused = await ask(args, input);
      expect([refused.code, decisionOf(refused.stdout)]).to.deep.equal([2, input === event('ls') ? 'deny' : '']);
      expect(refused.stderr).to.contain(said);
      // The answer of --fail-open does not depend on the failure.
      if (!SOAK && !['an event that is not JSON', 'a faulty configuration'].includes(what)) return;
      const open = await ask([...args, '--fail-open'], input);
      expect([open.code, open.stdout]).to.deep.equal([1, '']);
    });
  }

  it('denies on an unexpected error unless --fail-open is set', async () => {
    const env = { NODE_OPTIONS: `--require ${join(made, 'broken.cjs')}` };
    const fail = (...args: string[]) => hookline(['hook', '--as', 'claude', ...args], { input: event('ls'), env });
    const refused = await fail();
    expect([refused.code, decisionOf(refused.stdout)]).to.deep.equal([2, 'deny']);
    expect(refused.stderr).to.contain('unexpected: ').and.to.contain('broken here');
    if (SOAK) expect((await fail('--fail-open')).code).to.equal(1);
  });

  it('denies calls that need approval if the host has no prompts, and reports this at --install', async () => {
    const args = ['--config', 'hookline.yaml', '--ask', 'deny'];
    const { code, stdout } = await ask(args, event('cat x'));
    expect([code, decisionOf(stdout)]).to.deep.equal([2, 'deny']);
    expect(stdout).to.contain('This host has no approval prompts');
    const installed = (await install(...args)).stdout;
    expect(installed).to.contain('hookline.yaml --ask deny || exit 2').and.to.contain('is denied (--ask deny)');
    expect((await install()).stdout).to.contain('use --ask deny');
    const picoclaw = await warmHookline(['hook', '--as', 'picoclaw', '--ask', 'deny'], { cwd: made });
    expect([picoclaw.code, picoclaw.stderr.includes('--ask requires --as claude')]).to.deep.equal([2, true]);
  });

  it('withholds an output that could not be evaluated, in its own shape', async () => {
    const output = {
      ...JSON.parse(event('ls')),
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: 'raw', n: 7 },
    };
    for (const args of [
      ['--config', 'typo.yaml'],
      ['--hooks', './stray.mjs', '--timeout', '20'],
    ]) {
      const { code, stdout } = await ask(args, JSON.stringify(output));
      const { updatedToolOutput: said } = JSON.parse(stdout).hookSpecificOutput;
      expect([code, said.n]).to.deep.equal([0, 0]);
      expect(said.stdout).to.contain('withheld');
      expect(stdout).to.not.contain('raw');
    }
    if (!SOAK) return;
    const open = await ask(['--config', 'typo.yaml', '--fail-open'], JSON.stringify(output));
    expect([open.code, open.stdout]).to.deep.equal([1, '']);
  });

  it('withholds an output that is nested too deeply, and ends the turn', async () => {
    for (const levels of SOAK ? [600, 3_000, 100_000] : [600, 100_000]) {
      const { tool_response: _, ...rest } = { ...JSON.parse(event('ls')), hook_event_name: 'PostToolUse' };
      const deep = `${'{"a":'.repeat(levels)}"raw"${'}'.repeat(levels)}`;
      const input = `${JSON.stringify(rest).slice(0, -1)},"tool_response":${deep}}`;
      const { code, stdout, stderr } = await ask(['--config', 'hookline.yaml'], input);
      expect([levels, code, stdout.includes('raw')], stderr).to.deep.equal([levels, 0, false]);
      const said = JSON.parse(stdout);
      expect(said.continue).to.equal(false);
      expect(said.hookSpecificOutput.updatedToolOutput).to.contain('withheld').and.to.contain('500 levels');
    }
  });

  it('denies in JSON if exit code 2 would prompt the user', async () => {
    const { tool_use_id: _, ...call } = JSON.parse(event('ls'));
    const request = JSON.stringify({ ...call, hook_event_name: 'PermissionRequest' });
    const { code, stdout, stderr } = await ask(['--config', 'typo.yaml'], request);
    const { decision, hookEventName } = JSON.parse(stdout).hookSpecificOutput;
    expect([code, hookEventName, decision.behavior]).to.deep.equal([0, 'PermissionRequest', 'deny']);
    expect(decision.message).to.contain('permision');
    expect(stderr).to.contain('permision');
    if (!SOAK) return;
    const open = await ask(['--config', 'typo.yaml', '--fail-open'], request);
    expect([open.code, open.stdout]).to.deep.equal([1, '']);
  });

  it('denies and exits in time if a hook never loads', async () => {
    // Claude Code kills it five seconds after its timeout, and runs the call. A killed command would have another exit code.
    const refused = await ask(['--hooks', './endless.mjs', '--timeout', '2'], event('ls'));
    expect([refused.code, decisionOf(refused.stdout)]).to.deep.equal([2, 'deny']);
    expect(refused.stderr).to.contain('longer than 2000 ms. The event is denied');
  });

  it('answers and exits in time if an observer never ends', async () => {
    const args = ['--config', 'hookline.yaml', '--hooks', './watching.mjs', '--timeout', '12'];
    const [allowed, denied] = await Promise.all([ask(args, event('ls')), ask(args, event('rm x'))]);
    expect([allowed.code, allowed.stdout]).to.deep.equal([0, '']);
    expect([denied.code, decisionOf(denied.stdout)]).to.deep.equal([2, 'deny']);
    expect(denied.stderr).to.contain('denied by hook "permission"');
  });

  it('denies in time if a hook blocks the event loop', async () => {
    const [node = '', ...rest] = command;
    const line = [node, ...rest, 'hook', '--as', 'claude', '--hooks', './spinning.cjs', '--timeout', '2'];
    const run = async (ms: string) => {
      const options = { shell: true, cwd: made, env: environment({ SPIN_MS: ms }), stdio: 'pipe' } as const;
      const child = spawn(`${line.map((word) => `'${word}'`).join(' ')} || exit 2`, options);
      child.stdin.end(event('ls'));
      return outcomeOf(child);
    };
    const [killed, late] = await Promise.all([run('600000'), run('2500')]);
    for (const { code, stdout, stderr } of [killed, late]) {
      expect([code, decisionOf(stdout)]).to.deep.equal([2, 'deny']);
      expect(stderr).to.contain('longer than 2000 ms');
    }
  });

  // Hooks that end the process at an event are in disturbed.spec.ts, too.
  for (const module of SOAK ? ['exits.cjs', 'leaves.cjs'] : ['exits.cjs'])
    it(`denies if ${module} ends the process`, async () => {
      const refused = await ask(['--hooks', `./${module}`], event('ls'));
      expect([refused.code, decisionOf(refused.stdout)]).to.deep.equal([2, 'deny']);
      expect(refused.stderr).to.contain('the process of the hooks ended early');
      if (SOAK) expect((await ask(['--hooks', `./${module}`, '--fail-open'], event('ls'))).code).to.equal(1);
      const after = { ...JSON.parse(event('ls')), hook_event_name: 'PostToolUse', tool_response: { stdout: 'raw' } };
      const withheld = await ask(['--hooks', `./${module}`], JSON.stringify(after));
      expect([withheld.code, withheld.stdout.includes('withheld')]).to.deep.equal([0, true]);
      expect(withheld.stdout).to.not.contain('raw');
    });

  it('withholds the output of an invalid event', async () => {
    const { code, stdout } = await ask(
      ['--config', 'hookline.yaml'],
      JSON.stringify({ hook_event_name: 'PostToolUse', tool_response: { stdout: 'raw' } }),
    );
    expect(code).to.equal(0);
    expect(stdout).to.contain('withheld').and.to.not.contain('raw');
  });

  it('denies a call that a signal ends', async () => {
    const child = start(['hook', '--as', 'claude', '--config', 'hookline.yaml', '--hooks', './slow.mjs'], {
      cwd: made,
    });
    child.stdin?.end(event('ls'));
    const outcome = outcomeOf(child);
    await once(child.stderr!, 'data');
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await outcome;
    expect([code, decisionOf(stdout)]).to.deep.equal([2, 'deny']);
    expect(stderr).to.contain('SIGTERM');
  });

  it('denies invalid UTF-8 and a missing directory, with a reason', async () => {
    const bytes = Buffer.concat([Buffer.from(event('ls').slice(0, -3)), Buffer.from([0xff]), Buffer.from('"}}')]);
    const child = start(['hook', '--as', 'claude', '--config', 'hookline.yaml'], { cwd: made });
    child.stdin?.end(bytes);
    const { code, stderr } = await outcomeOf(child);
    expect([code, stderr.includes('not valid UTF-8')]).to.deep.equal([2, true]);
    const gone = await ask(['--config', 'hookline.yaml'], event('ls').replace(made, join(made, 'gone')));
    expect([gone.code, decisionOf(gone.stdout)]).to.deep.equal([2, 'deny']);
    expect(gone.stderr).to.contain(`The directory of the event, "${join(made, 'gone')}"`);
  });

  it('evaluates the event if its start directory was deleted', async () => {
    const left = folder();
    const [node = '', ...rest] = command;
    const line = [node, ...rest, 'hook', '--as', 'claude', '--config', join(made, 'hookline.yaml')];
    // From source, ts-node requires an existing current folder, so only the built command is tested.
    if (!line.some((word) => word.includes('dist'))) line.splice(1, line.indexOf('hook') - 1, BUILT);
    const script = `rmdir "$PWD"; ${line.map((word) => `'${word}'`).join(' ')}`;
    const child = spawn(script, { shell: true, cwd: left, env: environment(), stdio: 'pipe' });
    child.stdin.end(event('rm notes.txt'));
    const { code, stdout, stderr } = await outcomeOf(child);
    expect([code, decisionOf(stdout)], stderr).to.deep.equal([2, 'deny']);
    expect(stdout).to.contain('denied by hook');
  });

  it('starts a daemon if requested', async () => {
    const { stdout } = await install('--config', 'hookline.yaml', '--daemon');
    const { hooks } = settingsIn(stdout);
    const [node, main, ...rest] = hooks.PreToolUse[0].hooks[0].command.split(' ');
    expect([node, rest.join(' ')]).to.deep.equal([
      'node',
      `hook --as claude --config ${join(made, 'hookline.yaml')} --daemon --idle 900 || exit 2`,
    ]);
    expect(main).to.match(/main\.[jt]s$/);
    const picoclaw = await warmHookline(['hook', '--as', 'picoclaw', '--daemon'], { cwd: made });
    expect([picoclaw.code, picoclaw.stdout]).to.deep.equal([2, '']);
    expect(picoclaw.stderr).to.contain('--daemon requires --as claude');
    const idle = await ask(['--config', 'hookline.yaml', '--idle', '5'], '');
    expect([idle.code, idle.stderr.includes('--idle requires --daemon')]).to.deep.equal([2, true]);
  });

  it('lets a session stop that already continued once, even if evaluation fails', async () => {
    for (const [active, code] of [
      [false, 2],
      [true, 1],
    ] as const) {
      const stop = JSON.stringify({ session_id: 's1', hook_event_name: 'Stop', stop_hook_active: active });
      expect((await ask(['--config', 'typo.yaml'], stop)).code).to.equal(code);
    }
  });

  it('reports hooks that cannot be loaded at the session start, and unsupported events', async () => {
    const session = (hook_event_name: string) => JSON.stringify({ session_id: 's1', cwd: made, hook_event_name });
    const well = await ask(['--config', 'hookline.yaml'], session('SessionStart'));
    expect([well.code, well.stdout, well.stderr]).to.deep.equal([0, '', '']);
    const faulty = await ask(['--config', 'typo.yaml'], session('SessionStart'));
    expect([faulty.code, faulty.stdout]).to.deep.equal([2, '']);
    expect(faulty.stderr).to.contain('permision');
    const other = await ask(['--config', 'hookline.yaml'], session('PreCompact'));
    expect([other.code, other.stdout]).to.deep.equal([1, '']);
    expect(other.stderr).to.contain('does not evaluate the event PreCompact');
  });

  it('makes commands that fail to start deny, except for Stop', async () => {
    const { hooks } = settingsIn((await install('--config', 'hookline.yaml')).stdout);
    const line = hooks.Stop[0].hooks[0].command;
    expect(line).to.match(/^node \/\S*\/main\.[jt]s hook --as claude --config \S+$/);
    expect(hooks.PreToolUse[0].hooks[0].command).to.equal(`${line} || exit 2`);
  });

  it('keeps output of hook modules out of the answer', async () => {
    const { stdout, stderr, code } = await ask(['--config', 'hookline.yaml', '--hooks', './noisy.mjs'], event('rm x'));
    expect([code, decisionOf(stdout)]).to.deep.equal([2, 'deny']);
    expect(stderr).to.contain('noise');
  });

  it('prints the settings with the given options', async () => {
    const args = ['--config', 'my rules.yaml', '--hooks', './noisy.mjs', '--hooks', 'timing', '--fail-open'];
    const { stdout, code } = await install(...args);
    expect(code).to.equal(0);
    const [{ matcher, hooks }] = settingsIn(stdout).hooks.PreToolUse;
    expect(matcher).to.equal('*');
    const [, rest] = hooks[0].command.split(/ hook --as claude /);
    expect(rest).to.equal(
      `--config '${join(made, 'my rules.yaml')}' --hooks ${join(made, 'noisy.mjs')} --hooks timing --fail-open`,
    );
    expect(stdout).to.contain(
      `main.js hook --as claude --config "$CLAUDE_PROJECT_DIR"/'my rules.yaml' --hooks "$CLAUDE_PROJECT_DIR"/noisy.mjs --hooks timing --fail-open\n`,
    );
    expect(stdout).to.contain('Limitations in Claude Code');
  });

  it('prints settings only for hooks that can be loaded', async () => {
    for (const [args, said] of [
      [['--config', 'typo.yaml'], 'permision'],
      [['--config', 'none.yaml'], 'none.yaml'],
      [['--hooks', './none.mjs'], '--hooks ./none.mjs'],
    ] as const) {
      const { code, stdout, stderr } = await install(...args);
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.contain(said);
    }
  });

  it('runs in any directory with the installed command', async () => {
    const { hooks } = settingsIn((await install('--config', 'hookline.yaml')).stdout);
    const child = spawn(hooks.PreToolUse[0].hooks[0].command.replace(/^node \S+/, command.join(' ')), {
      ...{ shell: true, cwd: folder(), env: environment(), stdio: 'pipe' },
    });
    child.stdin.end(event('rm notes.txt'));
    const { code, stdout } = await outcomeOf(child);
    expect([code, decisionOf(stdout)]).to.deep.equal([2, 'deny']);
  });

  it('guards an agent that runs Claude Code hooks', async () => {
    const line = [...command, 'hook', '--as', 'claude', '--config', 'hookline.yaml']
      .map((part) => `'${part}'`)
      .join(' ');
    const entry = [{ matcher: '*', hooks: [{ type: 'command' as const, command: line }] }];
    const hooks = claudeHooks(
      { hooks: { PreToolUse: entry, PostToolUse: entry } },
      { cwd: made, env: environment() as never },
    );
    const tool = scriptedTool({ name: 'run_command', result: 'ran' });
    const model = scriptedModel([
      { toolCalls: [{ name: 'run_command', input: { command: 'rm -rf /' } }] },
      { toolCalls: [{ name: 'run_command', input: { command: 'ls' } }] },
      'done',
    ]);
    const recorded = recorder();
    const agent = createAgent({ name: 'a', model, tools: [tool], pipeline: createPipeline([hooks, recorded]) });
    await agent.call('go');
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ command: 'ls' }]);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['denied', 'executed']);
  });
});

describe('hookline hook --as picoclaw', () => {
  it('guards an agent that runs PicoClaw process hooks', async () => {
    const hook = processHook({
      name: 'guard',
      command: [...command, 'hook', '--as', 'picoclaw', '--config', join(made, 'hookline.yaml')],
      env: environment() as never,
      intercept: ['before_llm', 'after_llm', 'before_tool', 'approve_tool', 'after_tool'],
      timeouts: { helloMs: 60_000, interceptorMs: 60_000 },
    });
    const tool = scriptedTool({ name: 'run_command', result: 'ran' });
    const model = scriptedModel([
      { toolCalls: [{ name: 'run_command', input: { command: 'rm -rf /' } }] },
      { toolCalls: [{ name: 'run_command', input: { command: 'ls' } }] },
      'done',
    ]);
    const recorded = recorder();
    const agent = createAgent({ name: 'a', model, tools: [tool], pipeline: createPipeline([hook, recorded]) });
    const post = await agent.call('go');
    await hook.stop();
    expect(post.outcome).to.equal('completed');
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ command: 'ls' }]);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['denied', 'executed']);
  });

  it('does not start with an invalid configuration', async () => {
    const { code, stdout, stderr } = await hookline(['hook', '--as', 'picoclaw', '--config', 'typo.yaml'], {
      cwd: made,
    });
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.contain('permision');
  });

  it('denies every request if the configuration is invalid, and continues after a stray error', async () => {
    const lines = ['hook.hello', 'hook.before_tool', 'hook.before_tool', 'hook.approve_tool']
      .map((method, id) => JSON.stringify({ jsonrpc: '2.0', id, method, params: { tool: `t${id}`, arguments: {} } }))
      .join('\n');
    const run = async (args: readonly string[]) => {
      const { stdout } = await hookline(['hook', '--as', 'picoclaw', ...args], { input: `${lines}\n`, cwd: made });
      const replies: { id: number; result?: object; error?: { message: string } }[] = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return replies.sort((one, other) => one.id - other.id);
    };
    const faulty = await run(['--config', 'typo.yaml']);
    expect(faulty[0]?.error?.message).to.contain('permision');
    expect(faulty[1]?.result).to.include({ action: 'deny_tool' });
    expect(faulty[3]?.result).to.include({ approved: false });
    const stray = await run(['--hooks', './stray.mjs', '--timeout', '20']);
    expect(stray.map(({ id }) => id)).to.deep.equal([0, 1, 2, 3]);
  });

  it('prints the settings as a list of arguments', async () => {
    const args = ['hook', '--as', 'picoclaw', '--config', 'my rules.yaml', '--install'];
    const { hooks } = settingsIn((await warmHookline(args, { cwd: made })).stdout);
    const [node, main, ...words] = hooks.processes.hookline.command;
    expect([node, main]).to.match(/^node,\/.*\/main\.[jt]s$/);
    expect(words).to.deep.equal(['hook', '--as', 'picoclaw', '--config', join(made, 'my rules.yaml')]);
  });
});
