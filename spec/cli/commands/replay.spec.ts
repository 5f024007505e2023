import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAgent, createPipeline } from 'hookline';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { recordingFileIn, recordingIn } from '../../replay/recording-in.ts';
import { folder } from '../hookline.ts';
import { warmHookline } from '../warm-command.ts';

const policy = (rules: string) => `hooks:\n  rules:\n    type: permission\n    options: { allow: ["*"]${rules} }\n`;
const NONE = ['--preset', 'none'];

describe('hookline replay and hookline backtest', () => {
  let file: string;
  let cwd: string;

  before(async () => {
    const { folder: recordings, recorder } = recordingIn();
    const agent = createAgent({
      name: 'main',
      model: scriptedModel([
        { text: 'I run it.', toolCalls: [{ name: 'run_command', input: { command: 'npm publish' } }] },
        'Done.',
      ]),
      tools: [scriptedTool({ name: 'run_command', permission: 'external', result: 'ok' })],
      pipeline: createPipeline([recorder]),
    });
    await agent.call('Publish it.');
    file = recordingFileIn(recordings);
    cwd = folder({
      'same.yaml': policy(''),
      'deny.yaml': policy(', deny: ["run_command(npm publish*)"]'),
      'ask.yaml': policy(', ask: [run_command]'),
    });
    mkdirSync(join(cwd, 'runs', 'older'), { recursive: true });
    copyFileSync(file, join(cwd, 'runs', 'a.jsonl'));
    copyFileSync(file, join(cwd, 'runs', 'older', 'b.jsonl'));
  });

  it('shows where a run parts, or that it does not', async () => {
    const same = await warmHookline(['replay', file, '--config', 'same.yaml', ...NONE], { cwd });
    expect(same).to.include({ code: 0, stderr: '' });
    expect(same.stdout).to.match(
      /^hook "rules" is not in the recording\nrun \S+ \(main\): 12 recorded events, \d+ replayed\n {2}same events\n$/,
    );
    const parted = await warmHookline(['replay', file, '--config', 'deny.yaml', ...NONE], { cwd });
    expect(parted).to.include({ code: 1, stderr: '' });
    expect(parted.stdout).to.include('parts at event 5, preActing call_1 by hook "rules", in decision\n');
    expect(parted.stdout).to.include('+ {"action":"deny"');
    const shown = await warmHookline(
      ['replay', file, '--config', 'deny.yaml', ...NONE, '--show', 'events', '--until', '6'],
      { cwd },
    );
    expect(shown.stdout).to.match(/\n\* \d preActing call_1 run_command .*deny .*by rules\n/);
  });

  it('names the hooks with other options than in the recording, and another version', async () => {
    const head = JSON.parse(readFileSync(file, 'utf8').split('\n')[0] as string);
    const hooks = [
      { name: 'rules', kind: 'permission', digest: '0'.repeat(32) },
      { name: 'gone', kind: 'word-filter', digest: '1'.repeat(32) },
    ];
    const rest = readFileSync(file, 'utf8').split('\n').slice(1);
    const made = join(cwd, 'made.jsonl');
    writeFileSync(made, [JSON.stringify({ ...head, hookline: '0.0.1', hooks }), ...rest].join('\n'));
    const { stdout, code } = await warmHookline(['replay', made, '--config', 'same.yaml', ...NONE], { cwd });
    expect(code).to.equal(0);
    const [version, ...others] = stdout.split('\n');
    expect(version).to.match(/^recorded by version 0\.0\.1; this is version \d/);
    expect(others.slice(0, 2)).to.deep.equal([
      'hook "rules" has other options than in the recording',
      'hook "gone" is only in the recording',
    ]);
  });

  it('counts changed verdicts over folders, and fails on looser ones only if asked', async () => {
    const tried = await warmHookline(['backtest', 'runs', '--config', 'ask.yaml', ...NONE], { cwd });
    expect(tried).to.include({ code: 0, stderr: '' });
    expect(tried.stdout).to.match(/^2 recordings, 2 runs, 24 events\n2 x call of run_command: allow -> ask by rules\n/);
    const args = ['backtest', 'runs', '--config', 'same.yaml', '--against', 'deny.yaml', ...NONE];
    expect(await warmHookline(args, { cwd })).to.include({ code: 0 });
    const looser = await warmHookline([...args, '--fail-on', 'looser', '--json'], { cwd });
    expect(looser.code).to.equal(1);
    expect(JSON.parse(looser.stdout).changes[0]).to.deep.include({
      before: 'deny',
      after: 'allow',
      looser: true,
      count: 2,
    });
  });

  it('reports invalid files, folders and flags with exit code 2', async () => {
    writeFileSync(join(cwd, 'broken.jsonl'), `${readFileSync(file, 'utf8').split('\n')[0]}\n{\n`);
    for (const [args, issue] of [
      [['replay', 'none.jsonl', ...NONE], /^error: The recording "none.jsonl" cannot be read: ENOENT/],
      [['replay', 'broken.jsonl', ...NONE], /line 2 is not JSON/],
      [['replay', 'broken.jsonl', '--until', 'x'], /--until/],
      [['backtest', 'nowhere', ...NONE], /^error: nowhere: there is no such file or folder\.\n$/],
      [['backtest', '.', '--fail-on', 'stricter'], /--fail-on/],
    ] as const) {
      const { code, stderr } = await warmHookline([...args], { cwd });
      expect(code, stderr).to.equal(2);
      expect(stderr).to.match(issue);
    }
    const one = await warmHookline(['backtest', 'broken.jsonl', 'runs', ...NONE, '--fail-on', 'looser'], { cwd });
    expect(one.stdout).to.match(/^2 recordings.*\n[\s\S]*The recording "broken.jsonl" cannot be read: line 2/);
    expect(one.code).to.equal(1);
    expect(await warmHookline(['backtest', 'empty', ...NONE], { cwd: folder({ 'empty/x.txt': '' }) })).to.include({
      code: 2,
    });
  });
});
