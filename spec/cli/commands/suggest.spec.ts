import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder } from '../hookline.ts';
import { type AnsweredCall, auditOf, auditOfResumed, callHash, often } from '../suggest/approved-calls.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const POLICY = `# The policy of this project.
hooks:
  permission: # asks by default
    type: permission
    options:
      allow:
        - read_file # harmless
      deny: ["Read(.env)"]
`;
const status: AnsweredCall = { tool: 'run_command', input: { command: 'git status' } };
const KEY = 'AKIAZ7QK2'.concat('MRWX5LTN3PB');

/** A project with an audit log of these calls. */
async function project(calls: readonly AnsweredCall[], files: Record<string, string> = {}, more: object = {}) {
  const cwd = folder({ 'hookline.yaml': POLICY, ...files });
  await auditOf(join(cwd, 'audit.jsonl'), calls, more);
  return cwd;
}

const suggest = (cwd: string, ...args: string[]) => hookline(['suggest', 'audit.jsonl', ...args], { cwd });

interface Suggested {
  readonly proposed: readonly { readonly tool: string; readonly input: object; readonly approvals: number }[];
  readonly refused: readonly { readonly tool: string; readonly why: string }[];
  readonly notCounted: object;
  readonly diff: string;
}

async function suggested(cwd: string, ...args: string[]): Promise<Suggested> {
  const { code, stdout, stderr } = await suggest(cwd, '--json', ...args);
  expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Suggested;
}

/** Applies the output to the folder, as a reader of it would. */
function apply(cwd: string, diff: string): void {
  const { status, stderr } = spawnSync('git', ['apply', '-'], { cwd, input: diff });
  expect(status, String(stderr)).to.equal(0);
}

describe('hookline suggest', () => {
  it('proposes the exact call that people approved, with a case, as a diff that can be applied', async () => {
    const cwd = await project([...often(9, status), { ...status, by: 'bob' }]);
    const { code, stdout, stderr } = await suggest(cwd);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.match(
      /^# run_command \{"command":"git status"\}: approved 10 times by 2 users, ann, bob; agent worker; last at audit\.jsonl:\d+\n/,
    );
    expect(stdout.split('\n').slice(1, 12)).to.deep.equal([
      ...['--- a/hookline.yaml', '+++ b/hookline.yaml', '@@ -5,4 +5,5 @@'],
      ...['     options:', '       allow:', '         - read_file # harmless'],
      '+        - { tool: run_command, exactly: {"command":"git status"} }',
      '       deny: ["Read(.env)"]',
      ...['--- /dev/null', '+++ b/hookline.cases.yaml', '@@ -0,0 +1,4 @@'],
    ]);
    expect(readFileSync(join(cwd, 'hookline.yaml'), 'utf8')).to.equal(POLICY);
    expect(existsSync(join(cwd, 'hookline.cases.yaml'))).to.equal(false);
    apply(cwd, stdout);
    const tested = await hookline(['test'], { cwd });
    expect(tested).to.deep.equal({ code: 0, stdout: '1 case: 1 passed, 0 failed\n', stderr: '' });
    const explain = (input: object) =>
      hookline(
        ['explain', '--tool', 'run_command', '--input', JSON.stringify(input), '--config', 'hookline.yaml', '--json'],
        { cwd },
      );
    const action = async (input: object) => JSON.parse((await explain(input)).stdout).decision.action as string;
    expect(await action({ command: 'git status' })).to.equal('proceed');
    for (const input of [
      { command: 'git status', timeoutMs: 5_000 },
      { command: 'git status -s' },
      { command: 'git status && git status' },
      { command: 'git  status' },
    ])
      expect(await action(input), JSON.stringify(input)).to.equal('ask');
  });

  it('counts to ten, or to --min, and names a call of one user only', async () => {
    const cwd = await project(often(9, status));
    expect((await suggest(cwd)).stdout).to.equal(
      '# no call has a new rule; a call needs 10 approvals by people, and no denial\n',
    );
    expect((await suggest(cwd, '--min', '9')).stdout).to.include('approved 9 times by one user only, ann;');
  });

  it('proposes no rule for a call that was denied once, but for one with another input', async () => {
    const other = { tool: 'run_command', input: { command: 'git log' } };
    const cwd = await project([...often(12, status), { ...status, action: 'deny' }, ...often(10, other)]);
    const { proposed, refused } = await suggested(cwd);
    expect(proposed).to.have.lengthOf(1);
    expect(proposed[0]).to.deep.include({ ...other, approvals: 10 });
    expect(refused).to.have.lengthOf(1);
    expect(refused[0]?.why).to.match(/^it was also denied once, last at audit\.jsonl:\d+$/);
  });

  it('proposes no rule for a tool with a denied call whose arguments are not recorded', async () => {
    const cwd = await project(often(10, status));
    await auditOf(join(cwd, 'audit.jsonl'), [{ ...status, action: 'deny' }], { audit: { args: false } });
    const { proposed, refused } = await suggested(cwd);
    expect(proposed).to.deep.equal([]);
    expect(refused[0]?.why).to.include('with unrecorded arguments was denied');
  });

  it('does not count calls that rules or grants allowed', async () => {
    const byRule = { rules: { allow: ['run_command'] } };
    const granted = [
      { ...status, remember: 'session', session: 'one' } as const,
      ...often(12, { ...status, session: 'one' }),
    ];
    for (const cwd of [await project(often(12, status), {}, byRule), await project(granted)])
      expect((await suggested(cwd, '--min', '2')).proposed).to.deep.equal([]);
  });

  it('counts answers to suspended runs, if they are about the call that ran', async () => {
    const cwd = await project([]);
    await auditOfResumed(join(cwd, 'audit.jsonl'), 10, 'git status', (call) => callHash(call));
    await auditOfResumed(join(cwd, 'audit.jsonl'), 10, 'git log', () => 'f'.repeat(64));
    const { proposed, notCounted } = await suggested(cwd);
    expect(proposed.map(({ input }) => input)).to.deep.equal([{ command: 'git status' }]);
    expect(notCounted).to.include({ hidden: 10 });
  });

  it('proposes no call with a redacted value, a secret or a part that is cut, and counts them', async () => {
    const login = { tool: 'deploy', input: { key: KEY } };
    const long = { tool: 'deploy', input: { text: 'x'.repeat(10_000) } };
    const sealed = { tool: 'deploy', input: { key: '[REDACTED:aws-access-key-id]' } };
    for (const call of [login, long, sealed]) {
      const cwd = await project(often(10, call));
      const { proposed, notCounted, diff } = await suggested(cwd);
      expect(proposed).to.deep.equal([]);
      expect(notCounted).to.deep.equal({ hidden: 10, withoutArguments: 0, edited: 0 });
      expect(diff).to.equal('');
    }
    const bare = await project(often(10, login), {}, { audit: { redact: false } });
    const { stdout } = await suggest(bare);
    expect(stdout)
      .to.include('# 10 approved calls do not count: their arguments are redacted, sealed, cut or contain a secret')
      .and.not.include(KEY);
  });

  it('does not count calls whose approver edited them, and calls without arguments', async () => {
    const edited = await project(often(10, { ...status, edited: { command: 'git log' } }));
    expect((await suggested(edited)).notCounted).to.include({ edited: 10 });
    const bare = await project(often(10, status), {}, { audit: { args: false } });
    expect((await suggested(bare)).notCounted).to.include({ withoutArguments: 10 });
  });

  it('does not propose what the policy allows, denies, or another hook asks about', async () => {
    const env = { tool: 'read_file', input: { path: '.env' } };
    const remove = { tool: 'run_command', input: { command: 'rm -rf build' } };
    const calls = [env, { tool: 'read_file', input: { path: 'a' } }, remove].flatMap((call) => often(10, call));
    const { proposed, refused } = await suggested(await project(calls));
    expect(proposed).to.deep.equal([]);
    expect(refused.map(({ why }) => why)).to.have.members([
      'the policy denies it (permission)',
      'the policy allows it already',
      'an allow rule is not enough: dangerous-confirmation still decides ask',
    ]);
  });

  for (const [what, policy] of [
    ['a list on one line', POLICY.replace(/allow:\n.*\n/, 'allow: [read_file]\n')],
    ['an empty list', POLICY.replace(/allow:\n.*\n/, 'allow: []\n')],
    ['no list', POLICY.replace(/ {6}allow:\n.*\n/, '')],
    ['no options', 'hooks:\n  permission:\n    type: permission\n'],
    ['a hook on one line', 'hooks: { permission: { type: permission } }'],
    ['options on one line', 'hooks: { permission: { type: permission, options: { deny: [x] } } }\n'],
    ['Windows line ends', POLICY.replaceAll('\n', '\r\n')],
    ['no line end', POLICY.replace(/ {6}deny.*\n/, '').trimEnd()],
  ] as const)
    it(`adds the rule to a policy with ${what}`, async () => {
      const call = {
        tool: 'mcp__web__get',
        input: { url: 'https://a.example/?x=*&y=${HOME}', n: [1, { deep: null }] },
      };
      const cwd = await project(often(10, call), { 'hookline.yaml': policy });
      const { diff } = await suggested(cwd);
      apply(cwd, diff);
      expect(readFileSync(join(cwd, 'hookline.yaml'), 'utf8')).to.include(
        'read_file'.repeat(Number(policy.includes('read_file'))),
      );
      const tested = await hookline(['test'], { cwd });
      expect(tested.stdout, diff).to.equal('1 case: 1 passed, 0 failed\n');
    });

  it('adds to a policy in JSON and to cases that exist', async () => {
    const cwd = await project(often(10, status), {
      'p.jsonc':
        '{\n  // Reviewed.\n  "hooks": { "gate": { "type": "permission", "options": { "allow": ["read_file"] } } }\n}\n',
      'p.cases.yaml': 'cases:\n  - call: { tool: read_file, input: { path: a } }\n    expect: allow\n# end\n',
    });
    const { diff } = await suggested(cwd, '--config', 'p.jsonc');
    apply(cwd, diff);
    expect(readFileSync(join(cwd, 'p.jsonc'), 'utf8')).to.include('// Reviewed.');
    const { stdout } = await hookline(['test', 'p.cases.yaml'], { cwd });
    expect(stdout).to.equal('2 cases: 2 passed, 0 failed\n');
  });

  it('reports a truncated last line, and rejects other lines that are not JSON with their number', async () => {
    const cwd = await project(often(10, status));
    const log = join(cwd, 'audit.jsonl');
    const lines = readFileSync(log, 'utf8').split('\n').length - 1;
    appendFileSync(log, '{"level":30,"msg":"tool_c');
    expect((await suggest(cwd)).stdout)
      .to.include(`# audit.jsonl:${lines + 1}: this last line is truncated, and ignored\n`)
      .and.include('approved 10 times');
    appendFileSync(log, '\n{"level":30}\n');
    const { code, stdout, stderr } = await suggest(cwd);
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.include(`audit.jsonl:${lines + 1}: this line is not a JSON object. Repair or remove it.`);
  });

  it('rejects an empty log, another file, a missing one, and a missing policy', async () => {
    const cwd = folder({ 'hookline.yaml': POLICY, 'audit.jsonl': '', 'other.jsonl': '{"a":1}\n[2]\n' });
    for (const [args, message] of [
      [['audit.jsonl'], 'audit.jsonl: there are no records of runs. Pass the file of an audit-log hook.'],
      [['other.jsonl'], 'other.jsonl:2: this line is not a JSON object.'],
      [['none.jsonl'], 'Cannot read the audit log "none.jsonl": there is no such file.'],
      [['audit.jsonl', '--config', 'none.yaml'], 'none.yaml: there is no such policy. Name it with --config.'],
      [['audit.jsonl', '--min', '0'], 'It must be a whole number from 1.'],
    ] as const) {
      const { code, stdout, stderr } = await hookline(['suggest', ...args], { cwd });
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.include(message);
    }
  });

  it('reads a log of 200,000 records line by line', async () => {
    const cwd = await project(often(10, status));
    const log = join(cwd, 'audit.jsonl');
    const record = {
      level: 30,
      run_id: 'r',
      tool_call_id: 'c',
      tool: 'x',
      msg: 'tool_call_start',
      args: { text: 'y'.repeat(300) },
    };
    const line = `${JSON.stringify(record)}\n`;
    writeFileSync(log, `${line.repeat(200_000)}${readFileSync(log, 'utf8')}`);
    expect((await suggested(cwd)).proposed).to.have.lengthOf(1);
  });
});
