import { join } from 'node:path';
import { expect } from 'chai';
import { createAgent, createPipeline } from '../../../lib/index.ts';
import { claudeHooks, processHook } from '../../../lib/process-hooks/index.ts';
import { recorder, scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { command, environment, folder, hookline } from '../hookline.ts';

const rules = `hooks:
  permission:
    type: permission
    options:
      allow: ["run_command(ls:*)"]
      deny: ["run_command(rm:*)"]
`;
const made = folder({
  'hookline.yaml': rules,
  'typo.yaml': 'hooks:\n  guard:\n    type: permision\n',
  'noisy.mjs':
    "import { defineHook } from 'hookline';\nconsole.log('noise');\nexport default defineHook({ name: 'noisy', observe: () => console.log('noise') });\n",
  'slow.mjs':
    "import { defineHook } from 'hookline';\nexport default defineHook({ name: 'slow', timeoutMs: 60000, on: { preActing: () => new Promise(() => {}) } });\n",
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
const decisionOf = (stdout: string) => JSON.parse(stdout).hookSpecificOutput.permissionDecision;

describe('hookline hook --as claude', () => {
  it('judges a call by the configuration, and prints nothing but the answer', async () => {
    const denied = await ask(['--config', 'hookline.yaml'], event('rm -rf /'));
    expect([denied.code, decisionOf(denied.stdout)]).to.deep.equal([0, 'deny']);
    const allowed = await ask(['--config', 'hookline.yaml'], event('ls'));
    expect([allowed.code, allowed.stdout]).to.deep.equal([0, '']);
  });

  for (const [what, args, input, said] of [
    ['a faulty configuration', ['--config', 'typo.yaml'], event('ls'), 'permision'],
    ['a configuration that is not there', ['--config', 'none.yaml'], event('ls'), 'none.yaml'],
    ['an event that is no JSON', ['--config', 'hookline.yaml'], 'hello', 'no JSON'],
    ['nothing', ['--config', 'hookline.yaml'], '', 'no JSON'],
    ['a hook that takes too long', ['--hooks', './slow.mjs', '--timeout', '1'], event('ls'), 'longer than 1000 ms'],
  ] as const) {
    it(`refuses on ${what}, and lets things go on only where that was asked for`, async () => {
      const refused = await ask(args, input);
      expect([refused.code, refused.stdout]).to.deep.equal([2, '']);
      expect(refused.stderr).to.contain(said);
      const open = await ask([...args, '--fail-open'], input);
      expect([open.code, open.stdout]).to.deep.equal([1, '']);
    });
  }

  it('keeps what modules of hooks print out of the answer', async () => {
    const { stdout, stderr, code } = await ask(['--config', 'hookline.yaml', '--hooks', './noisy.mjs'], event('rm x'));
    expect([code, decisionOf(stdout)]).to.deep.equal([0, 'deny']);
    expect(stderr).to.contain('noise');
  });

  it('says what to put where, with the options it was given', async () => {
    const { stdout, code } = await ask(['--config', 'my rules.yaml', '--fail-open', '--install'], '');
    expect(code).to.equal(0);
    const settings = JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1));
    const [{ matcher, hooks }] = settings.hooks.PreToolUse;
    expect(matcher).to.equal('*');
    expect(hooks[0].command).to.equal("npx hookline hook --as claude --config 'my rules.yaml' --fail-open");
    expect(stdout).to.contain('What Claude Code cannot do');
  });

  it('guards an agent that runs hooks as Claude Code does', async () => {
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
  it('guards an agent that runs process hooks as PicoClaw does', async () => {
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

  it('does not start with a faulty configuration', async () => {
    const { code, stdout, stderr } = await hookline(['hook', '--as', 'picoclaw', '--config', 'typo.yaml'], {
      cwd: made,
    });
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.contain('permision');
  });

  it('says what to put where, as a list of words', async () => {
    const { stdout } = await hookline(['hook', '--as', 'picoclaw', '--config', 'my rules.yaml', '--install']);
    const { hooks } = JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1));
    const words = ['npx', 'hookline', 'hook', '--as', 'picoclaw', '--config', 'my rules.yaml'];
    expect(hooks.processes.hookline.command).to.deep.equal(words);
  });
});
