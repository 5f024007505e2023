import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { orPending } from '../bed/host-program.ts';
import { recordedOn } from '../bed/recorded-hook.ts';
import { type HostEnd, type HostRun, runHost } from '../bed/run-host.ts';
import { call } from '../bed/turn.ts';
import { codexResult } from './codex-result.ts';

const shell = (cmd: string) => call('exec_command', { cmd });
const rewrite = (command: string) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command } },
});
const refusal = { stderr: 'the stderr reason', exitCode: 2 };

const last = ({ requests }: HostEnd) => codexResult(requests.at(-1)?.body);
const ran = ({ folder }: HostEnd, file = 'a.txt') => existsSync(join(folder, file));

describe('Codex', () => {
  const refusing = { hooks: recordedOn('PreToolUse'), answers: [{ event: 'PreToolUse', ...refusal }] };
  const codex = (context: Mocha.Context, run: Omit<HostRun, 'host'>) =>
    orPending(context, runHost({ host: 'codex', ...run }));

  it('skips a hook that nobody reviewed', async function () {
    const end = await codex(this, { ...refusing, trust: 'none', turns: [shell('touch a.txt')] });
    expect(ran(end)).to.equal(true);
    expect(end.hookInputs).to.deep.equal([]);
  });

  it('runs a reviewed hook', async function () {
    const end = await codex(this, { ...refusing, trust: 'reviewed', turns: [shell('touch a.txt')] });
    expect(ran(end)).to.equal(false);
    expect(last(end)).to.include('the stderr reason');
  });

  it('sends a prompt that UserPromptSubmit blocks to no model', async function () {
    const answers = [
      { event: 'UserPromptSubmit', stdout: { decision: 'block', reason: 'no' }, stderr: 'no', exitCode: 2 },
    ];
    const end = await codex(this, { hooks: recordedOn('UserPromptSubmit'), answers, turns: [] });
    expect(end.hookInputs).to.have.length(1);
    expect(end.requests).to.deep.equal([]);
    expect(end.exitCode).to.equal(0);
  });

  it('runs what write_stdin types into a process, without the hook', async function () {
    const type = (body: Record<string, unknown>) => {
      const [, id] = /session ID (\d+)/.exec(codexResult(body)) ?? [];
      return call('write_stdin', { session_id: Number(id), chars: 'touch typed\n', yield_time_ms: 1_000 });
    };
    const turns = [call('exec_command', { cmd: 'sh', tty: true, yield_time_ms: 300 }), type];
    const end = await codex(this, { hooks: recordedOn('PreToolUse'), turns });
    expect(ran(end, 'typed')).to.equal(true);
    expect(end.hookInputs.map(({ tool_input: input }) => input)).to.deep.equal([{ command: 'sh' }]);
  });

  it('gives the hook the calls of a sub-agent, with its ID', async function () {
    const spawn = { name: 'spawn_agent', namespace: 'multi_agent_v1', input: { message: 'do it' } };
    const slow = shell('sleep 1');
    const end = await codex(this, { hooks: recordedOn('PreToolUse'), turns: [{ calls: [spawn] }, slow, slow] });
    const calls = end.hookInputs.map(({ tool_name: name, agent_type: type }) => [name, type]);
    expect(calls).to.deep.include.members([
      ['spawn_agent', undefined],
      ['Bash', 'default'],
    ]);
  });

  describe('in code mode', () => {
    const script = (file: string) =>
      `const r = await tools.exec_command({cmd:"touch ${file}"}); text(JSON.stringify(r));`;
    let end: HostEnd;
    before(async function () {
      const answers = [
        { event: 'PreToolUse', includes: 'denied', ...refusal },
        { event: 'PreToolUse', includes: 'rewritten', stdout: rewrite('touch rewritten.new') },
      ];
      const turns = ['denied', 'rewritten'].map((file) => call('exec', script(file)));
      end = await codex(this, { tools: 'code-mode', hooks: recordedOn('PreToolUse'), answers, turns });
    });

    it('refuses a nested call', () => {
      expect(ran(end, 'denied')).to.equal(false);
      expect(codexResult(end.requests[1]?.body)).to.include('the stderr reason');
    });

    it('rewrites a nested call', () => {
      expect([ran(end, 'rewritten'), ran(end, 'rewritten.new')]).to.deep.equal([false, true]);
    });

    it('gives the hook only the nested call', () => {
      expect(end.hookInputs.map(({ tool_name: name }) => name)).to.deep.equal(['Bash', 'Bash']);
    });
  });

  describe('with apply_patch', () => {
    const patch = (file: string) => `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch`;
    let end: HostEnd;
    before(async function () {
      const answers = [
        { event: 'PreToolUse', includes: 'denied', ...refusal },
        {
          event: 'PreToolUse',
          includes: 'rewritten',
          stdout: rewrite(patch('other')),
        },
      ];
      const heredoc = shell(`apply_patch <<'EOF'\n${patch('heredoc')}\nEOF`);
      const turns = [call('apply_patch', patch('denied')), call('apply_patch', patch('rewritten')), heredoc];
      end = await codex(this, { tools: 'apply_patch', hooks: recordedOn('PreToolUse'), answers, turns });
    });

    it('refuses a patch', () => {
      expect(ran(end, 'denied')).to.equal(false);
      expect(codexResult(end.requests[1]?.body)).to.include('the stderr reason');
    });

    it('rewrites a patch', () => {
      expect([ran(end, 'rewritten'), ran(end, 'other')]).to.deep.equal([false, true]);
    });

    it('applies a patch in a shell command, which the hook sees as Bash', () => {
      expect(ran(end, 'heredoc')).to.equal(true);
      expect(end.hookInputs.map(({ tool_name: name }) => name)).to.deep.equal(['apply_patch', 'apply_patch', 'Bash']);
    });
  });
});
