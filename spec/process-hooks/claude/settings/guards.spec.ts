import { expect } from 'chai';
import { type ClaudeHooks, claudeHooks, type Diagnostic } from 'hookline/process-hooks';
import { createScene, on } from '../scene.ts';

const scene = createScene('claude-guards');
const load = (
  handler: object,
  event = 'PreToolUse',
  options: object = {},
): { hook: ClaudeHooks; told: Diagnostic[] } => {
  const told: Diagnostic[] = [];
  const hook = claudeHooks({ hooks: { [event]: [{ hooks: [handler] }] } } as never, {
    onDiagnostic: (one) => told.push(one),
    ...options,
  });
  return { hook, told };
};

describe('a Claude Code handler that cannot run', () => {
  for (const handler of [
    { type: 'agent', prompt: 'Look.' },
    { type: 'mcp_tool', server: 's', tool: 't' },
    { type: 'of-a-later-version' },
    { type: 'command', command: 'x', shell: 'powershell' },
  ]) {
    it(`fails to load if it blocks: ${JSON.stringify(handler)}`, () => {
      expect(() => load({ ...handler, onFailure: 'block' })).to.throw(/PreToolUse.*onFailure is block.*"continue"/);
      expect(() => load(handler, 'PreToolUse', { onFailure: 'block' })).to.throw(/onFailure is block/);
    });

    it(`is otherwise reported at load: ${JSON.stringify(handler)}`, () => {
      expect(load(handler).told.map(({ code, event }) => [code, event])).to.deep.equal([['no-handler', 'PreToolUse']]);
      expect(load({ ...handler, onFailure: 'continue' }, 'PreToolUse', { onFailure: 'block' }).told).to.have.length(1);
      expect(load({ ...handler, onFailure: 'block' }, 'Stop').told).to.have.length(1);
    });
  }
});

describe('the condition of a Claude Code handler', () => {
  const block = (rule: string) => ({ command: 'echo no >&2; exit 2', if: rule });

  for (const [rule, command, outcome] of [
    ['Bash(git push:*)', 'git push origin', 'denied'],
    ['Bash(git push:*)', 'cd x && git push', 'denied'],
    ['Bash(git push:*)', 'A=1 git push', 'denied'],
    ['Bash(git push:*)', 'echo `git push`', 'denied'],
    ['Bash(git push:*)', 'git pull', 'executed'],
    ['Bash(git push:*)', 'echo "git push"', 'executed'],
    ['Bash(git push:*)', 'for x in 1; do $x; done', 'denied'],
    ['Write', 'git push', 'executed'],
    ['Bash', 'anything', 'denied'],
    ['no rule at all', 'anything', 'denied'],
  ] as const)
    it(`${rule}: a call of ${command} is ${outcome}`, async () => {
      const { acted, codes } = await scene.play(on({ PreToolUse: block(rule) }), { input: { command } });
      expect([acted?.outcome, codes]).to.deep.equal([outcome, /^no/.test(rule) ? ['if-unclear'] : []]);
    });

  it('is evaluated for a rewritten call', async () => {
    const push = `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"git push"}}}'`;
    const { acted, ran } = await scene.play(on({ PreToolUse: [block('Bash(git push:*)'), push] }));
    expect([acted?.outcome, ran]).to.deep.equal(['denied', []]);
  });

  it('applies at PostToolUse, and is reported for events without a call', async () => {
    const after = { command: 'echo checked; exit 2', if: 'Bash(git:*)' };
    const { acted, codes } = await scene.play(
      on({ PostToolUse: after, UserPromptSubmit: { command: 'true', if: 'Bash' } }),
    );
    expect([acted?.result.content, codes]).to.deep.equal(['ran 1', ['if-without-call']]);
  });
});
