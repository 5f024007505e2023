import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAgent, createPipeline } from 'hookline';
import { permission } from 'hookline/hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { recordingFileIn, recordingIn } from '../../replay/recording-in.ts';
import { folder } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const KEY = 'AKIAZ7QK2'.concat('MRWX5LTN3PB');

/** Records a run that reads, changes and searches, with these rules. */
async function record(rules: object, inputs: readonly object[] = [{ path: 'a' }, {}, {}], options = {}) {
  const { folder: at, recorder } = recordingIn(options);
  const names = ['read', 'change', 'search'];
  const agent = createAgent({
    name: 'main',
    model: scriptedModel([
      ...names.map((name, at) => ({ toolCalls: [{ name, input: inputs[at] as never }] })),
      { text: 'Done.' },
    ]),
    tools: names.map((name) => scriptedTool({ name, permission: 'write', result: `${name} ok` })),
    pipeline: createPipeline([permission({ allow: ['*'], ...rules }), recorder]),
  });
  await agent.call('Go.');
  return recordingFileIn(at);
}

/** Runs a case of a recording with these rules. */
async function tested(recording: string, rules: object, expectation?: object | string) {
  const options = { allow: ['*'], ...rules };
  const hooks = { permission: { type: 'permission', options } };
  const given = expectation === undefined ? '' : `\n    expect: ${JSON.stringify(expectation)}`;
  const at = folder({
    'hookline.json': JSON.stringify({ hooks }),
    'hookline.cases.yaml': `cases:\n  - run: runs/x.jsonl${given}\n`,
    'runs/x.jsonl': '',
  });
  cpSync(recording, join(at, 'runs/x.jsonl'));
  return { at, ...(await hookline(['test'], { cwd: at })) };
}

describe('a case of hookline test with a recorded run', () => {
  it('passes if all stands as recorded', async () => {
    const recording = await record({ deny: ['change'] });
    for (const given of [undefined, 'unchanged', { calls: [] }]) {
      const { code, stdout, stderr } = await tested(recording, { deny: ['change'] }, given);
      expect({ code, stdout }, stderr).to.deep.equal({ code: 0, stdout: '1 case: 1 passed, 0 failed\n' });
    }
  });

  it('names the event, the hook, the rule and the difference, with the place of the case', async () => {
    const { code, stdout } = await tested(await record({}), { deny: ['change'], ask: ['search'] });
    expect(code).to.equal(1);
    expect(stdout).to.match(/^hookline\.cases\.yaml:2:5 case 1\n/);
    expect(stdout).to.match(
      /\n {2}event \d+, call of change \{\}: recorded allow, now deny by permission \(the rule change denies it\.\)\n/,
    );
    expect(stdout).to.match(
      /call of search \{\}: recorded allow, now ask by permission \(.*the rule search requires approval/,
    );
    expect(stdout).to.include('\n  run: runs/x.jsonl\n');
  });

  it('passes if the listed calls are as expected, and reports those that are not', async () => {
    const recording = await record({});
    const rules = { deny: ['change'], ask: ['search'] };
    const calls = [
      { tool: 'change', action: 'deny', by: 'permission', rule: 'change' },
      { tool: 'search', action: 'ask', rule: 'search' },
    ];
    expect((await tested(recording, rules, { calls })).stdout).to.equal('1 case: 1 passed, 0 failed\n');
    const wrong = [
      { tool: 'change', action: 'deny', rule: 'chang' },
      { ...calls[1], action: 'deny' },
      { tool: 'lost' },
    ];
    const { stdout } = await tested(recording, rules, { calls: wrong });
    expect(stdout).to.include('expected deny by the rule chang, got deny by permission (the rule change denies it.)');
    expect(stdout).to.include('expected deny by the rule search, got ask by permission');
    expect(stdout).to.include('expected a call of lost, which the run does not have at this point');
  });

  it('fails where a verdict is unknown: after a result that is not recorded, and at a placeholder', async () => {
    const open = await tested(await record({ deny: ['change'] }), {});
    expect(open.stdout).to.match(/call of change \{\}: recorded deny by permission .*, now allow\n/);
    const asks = await tested(await record({ deny: ['change', 'search'] }), { ask: ['change'] });
    expect(asks.stdout).to.match(/call of search \{\}: unknown, the replay ends before it/);
    const key = [{ path: KEY }, {}, {}];
    const redacted = await tested(await record({}, key), {});
    expect(redacted.stdout).to.match(/call of read .*: unknown, because the recording has a placeholder here/);
  });

  it('counts what a run reaches, and names what cannot be read', async () => {
    const recording = await record({ deny: ['change'] });
    const { at } = await tested(recording, { deny: ['change', 'never'] });
    const { stdout } = await hookline(['test', '--coverage'], { cwd: at });
    expect(stdout).to.include('no case reaches the deny rule never of permission');
    expect(stdout).not.to.include('rule change').and.not.to.include('rule *');
    writeFileSync(join(at, 'runs/x.jsonl'), readFileSync(recording, 'utf8').replace('"version":1', '"version":9'));
    expect((await hookline(['test'], { cwd: at })).stdout).to.match(
      /cases\.yaml:2:5 case 1\n.*x\.jsonl.*line 1 has version 9/,
    );
  });

  for (const [what, line, problem] of [
    ['an expectation of calls', '{ run: a, expect: deny }', /\.expect: of a run is unchanged, or has calls/],
    ['a call that is unchanged', '{ call: { tool: a }, expect: unchanged }', /\.expect: of a run is unchanged/],
    ['a user', '{ run: a, user: ada }', /\.run: has its own agent/],
    ['no expectation of a call', '{ call: { tool: a } }', /\.expect: is missing/],
  ] as const)
    it(`rejects ${what}`, async () => {
      const cwd = folder({ 'p.yaml': 'hooks: {}\n', 'p.cases.yaml': `cases:\n  - ${line}\n` });
      const { code, stderr } = await hookline(['test'], { cwd });
      expect(code).to.equal(2);
      expect(stderr)
        .to.match(problem)
        .and.to.match(/p\.cases\.yaml:2:/);
    });
});
