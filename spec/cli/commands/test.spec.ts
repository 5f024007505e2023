import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder, start } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const POLICY = `hooks:
  permission:
    type: permission
    options:
      allow: ["run_command(git:*)", "run_command(git status:*)", { permission: [read] }]
      ask: ["run_command(git push:*)"]
      deny: ["Read(.env)"]
      default: ask
  scan: { type: security-scan, options: { policies: { prompt: redact } } }
  words: { type: word-filter, options: { words: [swordfish], prompts: block } }
`;
const KEY = 'AKIAZ7QK2'.concat('MRWX5LTN3PB');
const CASES = `cases:
  - name: git runs
    call: { tool: run_command, input: { command: git status } }
    expect: allow
  - call: { tool: run_command, input: { command: git push } }
    expect: { action: ask, by: permission, rule: "run_command(git push:*)" }
  - call: { tool: read_file, input: { path: .env } }
    expect: { action: deny, by: permission, reason: Read(.env) }
  - prompt: my key is ${KEY}
    expect: { text: "my key is [REDACTED:aws-access-key-id]" }
  - result: { tool: read_file, content: "${KEY}!" }
    expect: { text: "[REDACTED:aws-access-key-id]!" }
  - prompt: hello
    expect: allow
`;

/** Runs the cases of a folder with these files. */
const tested = async (files: Record<string, string>, ...args: string[]) =>
  hookline(['test', ...args], { cwd: folder({ 'hookline.yaml': POLICY, ...files }) });

/** Runs one case that has to fail, and returns its report without the last line. */
async function failing(line: string): Promise<string> {
  const { code, stdout } = await tested({ 'hookline.cases.yaml': `cases:\n  - ${line}\n` });
  expect(code, stdout).to.equal(1);
  expect(stdout)
    .to.match(/^hookline\.cases\.yaml:2:5 case 1\n/)
    .and.to.match(/\n1 case: 0 passed, 1 failed\n$/);
  return stdout.split('\n').slice(1, -2).join('\n');
}

describe('hookline test', () => {
  it('passes if the hooks decide as the cases expect', async () => {
    const { code, stdout, stderr } = await tested({ 'hookline.cases.yaml': CASES });
    expect({ code, stdout, stderr }).to.deep.equal({ code: 0, stdout: '6 cases: 6 passed, 0 failed\n', stderr: '' });
  });

  it('shows what a call expects, what it got, and what each hook did', async () => {
    const report = await failing('{ call: { tool: read_file, input: { path: .env } }, expect: allow }');
    expect(report).to.match(/^ {2}expected allow, got deny by permission \(the rule Read\(\.env\) denies it\.\)\n/);
    expect(report)
      .to.include('call: read_file {"path":".env"}')
      .and.to.match(/permission +decided deny/);
  });

  const differences: readonly [what: string, line: string, problem: RegExp][] = [
    [
      'another hook',
      '{ call: { tool: read_file, input: { path: .env } }, expect: { action: deny, by: scan } }',
      /expected deny by scan, got deny by permission/,
    ],
    [
      'another rule',
      '{ call: { tool: run_command, input: { command: git log } }, expect: { rule: "run_command(git log:*)" } }',
      /expected the rule run_command\(git log:\*\), got the rule run_command\(git:\*\) allows it/,
    ],
    [
      'another reason',
      '{ prompt: swordfish, expect: { action: abort, reason: tuna } }',
      /expected a reason with "tuna", got abort by words/,
    ],
    ['a changed prompt', `{ prompt: "${KEY}", expect: allow }`, /expected no change, got the text "\[REDACTED/],
    ['an unchanged prompt', '{ prompt: a, expect: { text: b } }', /expected the text "b", got "a"/],
    ['an allowed prompt', '{ prompt: a, expect: deny }', /expected deny, got allow/],
    [
      'an unknown tool with an invalid input',
      '{ call: { tool: write_file, input: {} }, expect: allow }',
      /expected allow, got (?:fail|ask)/,
    ],
  ];
  for (const [what, line, problem] of differences)
    it(`reports ${what}`, async () => {
      expect(await failing(line)).to.match(problem);
    });

  it('compares rewritten calls', async () => {
    const cases = (expected: string) => ({
      'p.yaml': 'hooks: { own: { type: module, path: ./own.cjs } }\n',
      'own.cjs': `const { defineHook, modify } = require('hookline');
        module.exports = defineHook({ name: 'own', on: { preActing: (event) =>
          modify(event, { toolCall: { ...event.toolCall, input: { limit: 3 } } }) } });`,
      'p.cases.yaml': `cases: [{ call: { tool: search, input: { limit: 9 } }, expect: ${expected} }]\n`,
    });
    expect((await tested(cases('{ input: { limit: 3 } }'), 'p.cases.yaml')).code).to.equal(0);
    const { stdout } = await tested(cases('allow'), 'p.cases.yaml');
    expect(stdout).to.include('expected no change, got the input {"limit":3}');
    const other = await tested(cases('{ input: { limit: 4 } }'), 'p.cases.yaml');
    expect(other.stdout).to.include('expected the input {"limit":4}, got {"limit":3}');
  });

  it('starts no program, and sends and records nothing', async () => {
    const at = folder({
      'hookline.yaml': `hooks:
  program: { type: process, options: { command: [touch, ran], intercept: [before_llm, after_tool] } }
  out: { type: webhook, options: { url: "http://127.0.0.1:9/" } }
  rec: { type: recorder, options: { folder: ./runs } }
  audit-log: { type: audit-log, options: { file: ./audit.jsonl } }
`,
      'hookline.cases.yaml': `cases:
  - { prompt: a, expect: allow }
  - { result: { tool: x, content: a }, expect: allow }
  - { call: { tool: read_file, input: { path: a } }, expect: allow }
`,
    });
    const { code, stdout, stderr } = await hookline(['test'], { cwd: at });
    expect({ code, stdout, stderr }).to.deep.equal({ code: 0, stdout: '3 cases: 3 passed, 0 failed\n', stderr: '' });
    expect(readdirSync(at).sort()).to.deep.equal(['hookline.cases.yaml', 'hookline.yaml']);
  });

  it('finds the cases of folders, and names the policy', async () => {
    const files = {
      'a/b/deep.cases.yaml': 'policy: ../../hookline.yaml\ncases: [{ prompt: a, expect: allow }]\n',
      'node_modules/x.cases.yaml': 'nonsense',
      'c/two.cases.json': JSON.stringify({ policy: ['../hookline.yaml'], cases: [{ prompt: 'a', expect: 'allow' }] }),
    };
    expect((await tested(files)).stdout).to.equal('2 cases: 2 passed, 0 failed\n');
    expect((await tested(files, 'c')).stdout).to.equal('1 case: 1 passed, 0 failed\n');
  });

  const invalid: readonly [what: string, content: string, problem: RegExp][] = [
    [
      'an unknown field',
      'cases: [{ prmpt: a, expect: allow }]',
      /hookline\.cases\.yaml:1:11 cases\[0\]\.prmpt: unknown key\. Did you mean "prompt"/,
    ],
    [
      'two things to try',
      'cases: [{ prompt: a, call: { tool: x }, expect: allow }]',
      /:1:9 cases\[0\]: needs exactly one of call, prompt, result and run/,
    ],
    ['nothing to try', 'cases: [{ expect: allow }]', /needs exactly one of/],
    ['an unknown action', 'cases: [{ prompt: a, expect: allowed }]', /cases\[0\]\.expect/],
    ['no cases', 'cases: []', /:1:8 cases: /],
    ['invalid YAML', 'cases: [', /hookline\.cases\.yaml:1/],
    [
      'a missing policy',
      'policy: other.yaml\ncases: [{ prompt: a, expect: allow }]',
      /other\.yaml": there is no such file/,
    ],
  ];
  for (const [what, content, problem] of invalid)
    it(`rejects ${what}`, async () => {
      const { code, stdout, stderr } = await tested({ 'hookline.cases.yaml': content });
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.match(problem);
    });

  it('rejects a folder without cases, a missing folder and a file without a policy', async () => {
    const none = await tested({});
    expect(none).to.include({
      code: 2,
      stderr: 'error: There are no cases in .. Write them in a file such as hookline.cases.yaml.\n',
    });
    expect((await tested({}, 'nowhere')).stderr).to.include('nowhere: there is no such file or folder.');
    const alone = await tested({ 'other.cases.yaml': 'cases: [{ prompt: a, expect: allow }]' });
    expect(alone.stderr).to.include('policy: is missing, and there is no policy beside the file');
  });

  it('lists what no case reaches', async () => {
    const { stdout } = await tested({ 'hookline.cases.yaml': CASES }, '--coverage');
    expect(stdout).to.include('no case reaches the allow rule {"permission":["read"]} of permission');
    expect(stdout).to.include(
      'the allow rule run_command(git status:*) of permission never applies, because run_command(git:*) does',
    );
    expect(stdout).to.include('words has no effect in any case').and.not.include('scan has no effect');
    expect(stdout).not.to.include('rule Read(.env)').and.not.to.include('audit-log');
  });

  it('reports as JSON and for JUnit', async () => {
    const files = {
      'hookline.cases.yaml':
        'cases: [{ name: "<a> & \\"b\\"", prompt: a, expect: deny }, { prompt: b, expect: allow }]\n',
    };
    const json = await tested(files, '--format', 'json');
    expect(json.code).to.equal(1);
    const report = JSON.parse(json.stdout);
    expect(report).to.include({ ok: false, passed: 1, failed: 1 });
    expect(report.cases[0]).to.deep.include({
      file: 'hookline.cases.yaml',
      line: 1,
      column: 9,
      ok: false,
      problems: ['expected deny, got allow'],
    });
    const junit = await tested(files, '--format', 'junit');
    expect(junit.stdout).to.include('<testsuite name="hookline.cases.yaml" tests="2" failures="1">');
    expect(junit.stdout)
      .to.include('name="&#60;a&#62; &#38; &#34;b&#34;"')
      .and.to.include('<failure message="expected deny, got allow">');
  });

  it('runs again when a file changes or appears, and continues after an invalid one', async () => {
    const at = folder({ 'hookline.yaml': POLICY, 'hookline.cases.yaml': 'cases: [{ prompt: a, expect: deny }]\n' });
    const child = start(['test', '--watch'], { cwd: at });
    let text = '';
    child.stdout?.on('data', (part) => {
      text += String(part);
    });
    const shows = async (wanted: RegExp) => {
      while (!wanted.test(text)) await once(child.stdout!, 'data');
      text = '';
    };
    await Promise.all([shows(/0 passed, 1 failed/), once(child.stderr!, 'data')]);
    writeFileSync(join(at, 'hookline.cases.yaml'), 'cases: [{ prompt: a, expect: nothing }]\n');
    await shows(/cases\[0\]\.expect/);
    writeFileSync(join(at, 'hookline.cases.yaml'), 'cases: [{ prompt: a, expect: allow }]\n');
    await shows(/1 passed, 0 failed/);
    writeFileSync(join(at, 'hookline.yaml'), POLICY.replace('swordfish', 'a'));
    await shows(/0 passed, 1 failed/);
    mkdirSync(join(at, 'more'));
    writeFileSync(join(at, 'more/new.cases.yaml'), 'policy: ../hookline.yaml\ncases: [{ prompt: b, expct: allow }]\n');
    await shows(/new\.cases\.yaml:2:\d+ cases\[0\]\.expct/);
    writeFileSync(join(at, 'more/new.cases.yaml'), 'policy: ../hookline.yaml\ncases: [{ prompt: b, expect: allow }]\n');
    await shows(/1 passed, 1 failed/);
    rmSync(join(at, 'more'), { recursive: true });
    await shows(/0 passed, 1 failed/);
    child.kill('SIGINT');
    await once(child, 'exit');
  });
});
