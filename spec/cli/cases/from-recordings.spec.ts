import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { createAgent, createPipeline } from 'hookline';
import { permission, runRecorder } from 'hookline/hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { parse } from 'yaml';
import { folder } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const RULES = {
  deny: ['b'],
  ask: ['c', 'run_command(npm publish:*)'],
  allow: ['run_command(git:*)', 'a'],
  default: 'deny',
};
const KEY = 'AKIAZ7QK2'.concat('MRWX5LTN3PB');

type Call = readonly [name: string, input: object];

/** Records a run of these calls, approved if somebody is asked, beside the policy that decides about them. */
async function recorded(calls: readonly Call[], answer = true): Promise<string> {
  const hooks = { permission: { type: 'permission', options: RULES } };
  const at = folder({ 'p/hookline.json': JSON.stringify({ hooks }), 'runs/.keep': '' });
  await record(at, calls, answer);
  return at;
}

async function record(at: string, calls: readonly Call[], answer = true): Promise<void> {
  const agent = createAgent({
    name: 'main',
    model: scriptedModel([
      ...calls.map(([name, input]) => ({ toolCalls: [{ name, input: input as never }] })),
      { text: '.' },
    ]),
    tools: [...new Set(calls.map(([name]) => name))].map((name) =>
      scriptedTool({ name, permission: 'external', result: 'ok' }),
    ),
    pipeline: createPipeline([
      permission(RULES as never, { ask: async () => answer }),
      runRecorder({ folder: join(at, 'runs') }),
    ]),
    maxIterations: calls.length + 1,
  });
  await agent.call('Go.');
}

/** Returns the calls in the recordings, because a recording does not have every key of an input. */
function callsIn(at: string): readonly Call[] {
  const names = readdirSync(join(at, 'runs')).filter((name) => name.endsWith('.jsonl'));
  const lines = names.flatMap((name) =>
    readFileSync(join(at, 'runs', name), 'utf8')
      .trim()
      .split('\n'),
  );
  return lines
    .flatMap((line) => JSON.parse(line).event ?? [])
    .filter(({ type }) => type === 'preActing')
    .map(({ toolCall }) => [toolCall.name, toolCall.input]);
}

const from = (at: string, ...more: string[]) =>
  hookline(['test', '--from', 'runs', '--config', 'p/hookline.json', ...more], { cwd: at });

describe('hookline test --from', () => {
  it('writes one case for each different decision, which pass at once', async () => {
    const at = await recorded([
      ['a', { x: 1 }],
      ['a', { x: 2 }],
      ['b', {}],
      ['c', {}],
      ['run_command', { command: 'git status' }],
      ['run_command', { command: 'git log' }],
      ['run_command', { command: 'npm publish' }],
    ]);
    const { code, stdout, stderr } = await from(at, '--out', 'p/more.cases.yaml');
    expect({ code, stdout, stderr }).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    const written = parse(readFileSync(join(at, 'p/more.cases.yaml'), 'utf8'));
    expect(written.policy).to.deep.equal(['hookline.json']);
    expect(
      written.cases.map(({ call, expect: { action, rule } }: never) => [
        (call as Call & { tool: string }).tool,
        action,
        rule,
      ]),
    ).to.deep.equal([
      ['a', 'allow', 'a'],
      ['b', 'deny', 'b'],
      ['c', 'ask', 'c'],
      ['run_command', 'allow', 'run_command(git:*)'],
      ['run_command', 'ask', 'run_command(npm publish:*)'],
    ]);
    expect(written.cases[0]).to.deep.include({ call: { tool: 'a', input: { x: 1 } }, agent: 'main' });
    expect((await hookline(['test', 'p'], { cwd: at })).stdout).to.equal('5 cases: 5 passed, 0 failed\n');
  });

  it('writes what the hooks asked, not what a person answered, and prints without --out', async () => {
    const at = await recorded([['c', {}]], false);
    const { stdout } = await from(at);
    const { policy, cases } = parse(stdout);
    expect(policy).to.deep.equal(['p/hookline.json']);
    expect(cases[0].expect).to.include({ action: 'ask', by: 'permission', rule: 'c' });
    writeFileSync(join(at, 'x.cases.yaml'), stdout);
    expect((await hookline(['test'], { cwd: at })).stdout).to.equal('1 case: 1 passed, 0 failed\n');
  });

  it('counts what is no case: a placeholder, another decision, and what cannot be read', async () => {
    const at = await recorded([
      ['a', { key: KEY }],
      ['b', {}],
      ['a', { x: 1 }],
    ]);
    writeFileSync(join(at, 'runs/z.jsonl'), '{');
    const options = { deny: [], allow: ['a', 'b'] };
    writeFileSync(join(at, 'p/hookline.json'), JSON.stringify({ hooks: { p: { type: 'permission', options } } }));
    const { stdout, stderr } = await from(at);
    expect(parse(stdout).cases).to.have.lengthOf(1);
    expect(stdout).not.to.include('[REDACTED');
    expect(stderr).to.match(/^1 recordings cannot be read\n {2}.*z\.jsonl/);
    expect(stderr).to.include('\n1 decisions are no cases, because the recording has a placeholder');
    expect(stderr).to.match(
      /\n1 decisions are no cases, because the policy decides otherwise .*\n {2}.*event \d+: recorded deny, now allow\n$/,
    );
  });

  it('never overwrites a file', async () => {
    const at = await recorded([['a', {}]]);
    writeFileSync(join(at, 'x.cases.yaml'), 'mine');
    const { code, stderr } = await from(at, '--out', 'x.cases.yaml');
    expect(code).to.equal(2);
    expect(stderr).to.include('--out "x.cases.yaml": the file exists. Name another one.');
    expect(readFileSync(join(at, 'x.cases.yaml'), 'utf8')).to.equal('mine');
    expect((await from(at, '--out', 'x.txt')).stderr).to.include('name a file such as recorded.cases.yaml');
  });

  for (const [what, args, problem] of [
    ['no policy', ['--from', 'runs'], /--from requires --config/],
    ['a policy without recordings', ['--config', 'p/hookline.json'], /--config and --out require --from/],
    ['paths', ['p', '--from', 'runs', '--config', 'p/hookline.json'], /--from writes cases and runs none/],
    ['a missing policy', ['--from', 'runs', '--config', 'none.yaml'], /none\.yaml": there is no such file/],
    ['missing recordings', ['--from', 'none', '--config', 'p/hookline.json'], /none: there is no such file or folder/],
  ] as const)
    it(`rejects ${what}`, async () => {
      const at = folder({ 'p/hookline.json': '{"hooks":{}}', 'runs/.keep': '' });
      const { code, stdout, stderr } = await hookline(['test', ...args], { cwd: at });
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.match(problem);
    });

  it('makes no recorded text structure: whatever is recorded, the cases are the recorded values and pass', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        'x: y',
        '\n  - run: a',
        "' # {",
        '}\n',
        '\u2028\u0085\u007f',
        '\ud800',
        '"]}',
        '!!js/function',
        '${HOME}',
        '&a *a',
        '__proto__',
      ),
      fc.constant('k'.repeat(2_000)),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 2 }, text, fc.integer(), fc.dictionary(text, tie('value') as never, { maxKeys: 3 })),
    }));
    const input = fc.dictionary(text, value, { maxKeys: 3 }) as fc.Arbitrary<object>;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), input), { minLength: 1, maxLength: 4 }),
        async (calls) => {
          const at = await recorded(calls);
          const { code, stdout, stderr } = await from(at, '--out', 'p/x.cases.yaml');
          if (code !== 0) {
            // Every value looked like a secret.
            expect(stderr).to.include('has a placeholder').and.include('no recorded decision can be a case');
            return;
          }
          const { cases } = parse(readFileSync(join(at, 'p/x.cases.yaml'), 'utf8'));
          const inRecordings = callsIn(at);
          for (const { call, ...rest } of cases) {
            expect(inRecordings).to.deep.include([call.tool, call.input]);
            expect(Object.keys(rest)).to.have.members(['name', 'agent', 'expect']);
          }
          const tested = await hookline(['test', 'p'], { cwd: at });
          expect(tested.stdout, tested.stderr + stdout).to.match(/^\d cases?: \d passed, 0 failed\n$/);
          expect(readdirSync(join(at, 'p'))).to.have.lengthOf(2);
          expect(existsSync(join(at, 'a'))).to.equal(false);
        },
      ),
      { numRuns: 40 },
    );
  });
});
