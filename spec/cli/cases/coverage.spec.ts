import { expect } from 'chai';
import { folder } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

interface Covered {
  readonly coverage: {
    readonly rules: readonly { readonly hook: string; readonly list: string; readonly rule: string }[];
    readonly shadowed: readonly { readonly rule: string; readonly by: string }[];
  };
}

/** Returns the coverage of calls of run_command with these rules. */
async function covered(options: object, inputs: readonly object[]): Promise<Covered> {
  const cwd = folder({
    'p.json': JSON.stringify({ hooks: { p: { type: 'permission', options } } }),
    'p.cases.json': JSON.stringify({
      cases: inputs.map((input) => ({ call: { tool: 'run_command', input }, expect: 'allow' })),
    }),
  });
  const { stdout } = await hookline(['test', '--format', 'json'], { cwd });
  return { coverage: JSON.parse(stdout).coverage[0] };
}

describe('the coverage of hookline test', () => {
  it('counts a rule as reached only if a reason names it, and not a longer one', async () => {
    const options = { deny: ['run_command(git push*)'], allow: ['run_command'] };
    const { coverage } = await covered(options, [{ command: 'git push' }]);
    expect(coverage.rules).to.deep.equal([{ hook: 'p', list: 'allow', rule: 'run_command' }]);
    const both = await covered(options, [{ command: 'git push' }, { command: 'ls' }]);
    expect(both.coverage).to.deep.include({ rules: [], shadowed: [] });
  });

  it('counts a deny rule with its own reason, in the hook that decides', async () => {
    const rule = { tool: 'run_command', command: 'git push*', reason: 'People push' };
    const { coverage } = await covered({ deny: [rule], allow: ['*'] }, [{ command: 'git push' }]);
    expect(coverage.rules.map(({ list }) => list)).to.deep.equal(['allow']);
  });

  it('counts a rule without a tool, which decisions name with the default', async () => {
    const { coverage } = await covered({ deny: [{ command: 'git push*' }], allow: ['*'] }, [{ command: 'git push' }]);
    expect(coverage.rules.map(({ list }) => list)).to.deep.equal(['allow']);
  });

  const shadows: readonly [later: string, by: string | undefined, lists: object][] = [
    ['run_command(git push*)', 'run_command', { allow: ['run_command', 'run_command(git push*)'] }],
    ['run_command(git push*)', 'run_command(git*)', { deny: ['run_command(git*)'], ask: ['run_command(git push*)'] }],
    [
      'run_command(git push*)',
      'run_command(git *)',
      { ask: ['run_command(git *)'], allow: ['run_command(git push*)'] },
    ],
    ['run_command(git push)', 'Bash(git:*)', { deny: ['Bash(git:*)'], allow: ['run_command(git push)'] }],
    ['mcp__a__*', 'mcp__*', { deny: ['mcp__*'], allow: ['mcp__a__*'] }],
    ['Read(a)', 'Read', { ask: ['Read'], allow: ['Read(a)'] }],
    ['run_command(git*)', 'run_command(git*)', { deny: ['run_command(git*)'], allow: ['run_command(git*)'] }],
    ['run_command(git:*)', undefined, { deny: ['run_command(git push:*)'], allow: ['run_command(git:*)'] }],
    ['run_command(gitk)', undefined, { deny: ['run_command(git:*)'], allow: ['run_command(gitk)'] }],
    ['Bash(git push)', undefined, { deny: ['run_command(git:*)'], allow: ['Bash(git push)'] }],
    // A shell command may name the path.
    ['Read(.env)', undefined, { deny: ['Read'], ask: ['Read(.env)'] }],
    // Only the second one names the option that runs a program.
    ['run_command(find . -exec ls*)', undefined, { allow: ['run_command(find*)', 'run_command(find . -exec ls*)'] }],
  ];
  for (const [later, by, lists] of shadows)
    it(`${by === undefined ? 'may apply' : 'never applies'}: ${later} after ${JSON.stringify(lists)}`, async () => {
      const { coverage } = await covered(lists, [{ command: 'ls' }]);
      expect(coverage.shadowed.map(({ rule, by }) => [rule, by])).to.deep.equal(by === undefined ? [] : [[later, by]]);
    });
});
