import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { environment, folder, command as hookline, root } from '../hookline.ts';

const RULES = JSON.stringify({
  hooks: { rules: { type: 'permission', options: { default: 'allow', deny: ['Bash(rm:*)'] } } },
});
const event = (command: string) =>
  JSON.stringify({
    ...{ session_id: 's', transcript_path: '', cwd: root, hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Bash', tool_input: { command }, tool_use_id: 't' },
  });

/** Runs a line of Bash in a folder with a configuration. `hookline` is the command. */
function bash(line: string, input = '') {
  const cwd = folder({ 'c.json': RULES });
  const text = `hookline() { ${hookline.map((word) => `'${word}'`).join(' ')} "$@"; }; ${line}`;
  const options = { cwd, input, env: environment(), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', text], options);
  return { status, stdout, stderr };
}

describe('a configuration from a pipe', () => {
  it('is read once, and used by each part of a command', () => {
    const { status, stdout } = bash(
      `hookline explain --config <(cat c.json) --tool run_command --input '{"command":"rm x"}'`,
    );
    expect(stdout).to.include('Bash(rm:*)');
    expect(status).to.equal(0);
  });

  it('decides the event of a host', () => {
    const hook = 'hookline hook --as claude --config <(cat c.json)';
    expect(bash(hook, event('rm x')).stdout).to.include('Bash(rm:*)');
    expect(bash(hook, event('ls'))).to.include({ status: 0, stdout: '' });
  });
});

describe('a call of hookline hook with wrong words', () => {
  it('says which option has no value', () => {
    const { status, stderr } = bash('hookline hook --as claude --config', event('rm x'));
    expect(stderr).to.include("option '--config <file>' argument missing");
    expect(status).to.equal(2);
  });

  it('takes nothing after -- for an option', () => {
    const { status, stderr } = bash('hookline hook --as claude --config c.json -- --fail-open', event('rm x'));
    expect(stderr).to.include('The event is denied');
    expect(status).to.equal(2);
  });
});

describe('a command in a deleted folder', () => {
  it('says so', () => {
    const { status, stderr } = bash('mkdir gone && cd gone && rmdir ../gone && hookline list');
    expect(stderr).to.equal('error: The current folder was deleted. Change to another one.\n');
    expect(status).to.equal(2);
  });
});
