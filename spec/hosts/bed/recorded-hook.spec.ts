import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempFolder } from '../../temp-folder.ts';
import { type HookAnswer, hookInputs, recorded } from './recorded-hook.ts';

const input = { hook_event_name: 'PreToolUse', tool_input: { command: "echo 'a'" } };

function run(answers: readonly HookAnswer[], ...command: string[]) {
  const bed = tempFolder('hook');
  writeFileSync(join(bed, 'answers.json'), JSON.stringify(answers));
  const env = { ...process.env, HOST_BED: bed };
  const ended = spawnSync('/bin/sh', ['-c', recorded(...command)], {
    env,
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  return { ...ended, inputs: hookInputs(bed) };
}

describe('the recorded hook', () => {
  it('logs its input and replies with the first answer that matches', () => {
    const other = { event: 'PreToolUse', includes: 'rm', stdout: 'other' };
    const answer = { event: 'PreToolUse', includes: 'echo', stdout: { decision: 'block' }, stderr: 'no', exitCode: 2 };
    const { status, stdout, stderr, inputs } = run([other, answer]);
    expect({ status, stdout, stderr }).to.deep.equal({ status: 2, stdout: '{"decision":"block"}', stderr: 'no' });
    expect(inputs).to.deep.equal([input]);
  });

  it('runs the command that it wraps with its input', () => {
    const { status, stdout, stderr, inputs } = run([], 'sh', '-c', `cat; echo 'no' >&2; exit 3`);
    expect({ status, stdout, stderr }).to.deep.equal({ status: 3, stdout: JSON.stringify(input), stderr: 'no\n' });
    expect(inputs).to.deep.equal([input]);
  });
});
