import { expect } from 'chai';
import { toTheirs, workspaceToolTable } from '../../../lib/permission-rules/action/tool-table.ts';
import { callRuleMatcher } from '../../../lib/permission-rules/call-rule.ts';
import { callRuleSchema } from '../../../lib/permission-rules/call-rule-schema.ts';
import { ruleMatcher } from '../../../lib/permission-rules/match-rules.ts';
import { parsePermissionRule } from '../../../lib/permission-rules/permission-rule.ts';
import type { RuleMatch } from '../../../lib/permission-rules/rule-match.ts';

const place = { cwd: '/project', home: '/home/me' };
const patch = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const shell = (text: string) => `apply_patch <<'EOF'\n${text}\nEOF`;

/** Returns how a rule matches a call as a deny rule, and as an allow rule. */
function match(rule: string | object, own: string, input: object): readonly [RuleMatch, RuleMatch] {
  const { as, input: theirs } = toTheirs(workspaceToolTable, own, input as never);
  const call = { own, tool: as, input: theirs, permission: 'write' as const };
  const test = (effect: 'refuse' | 'allow') =>
    typeof rule === 'string'
      ? ruleMatcher([parsePermissionRule(rule)], place, effect)(call)
      : callRuleMatcher(callRuleSchema.parse(rule), place, effect)(call);
  return [test('refuse'), test('allow')];
}

const docs = patch('*** Update File: docs/a', '+x');
const both = patch('*** Update File: docs/a', '+x', '*** Add File: src/b', '+x');
const removed = patch('*** Delete File: docs/a');
const web = { url: ['https://x.example/a', 'https://y.example'] };

describe('permission rules', () => {
  for (const [rule, tool, input, denies, allows] of [
    ['Bash(rm:*)', 'run_command', { command: 'rm -r a' }, 'all', 'all'],
    ['Bash(rm:*)', 'Bash', { command: 'rm -r a' }, 'all', 'all'],
    ['Bash(rm:*)', 'PowerShell', { command: 'rm -r a' }, 'all', 'all'],
    ['Bash(rm:*)', 'PowerShell', { command: 'RM -Recurse a' }, 'all', 'none'],
    ['Bash(remove-item:*)', 'PowerShell', { command: 'dir; Remove-Item .\\a' }, 'some', 'unclear'],
    ['Bash(npm test:*)', 'PowerShell', { command: 'npm test "a\\"; rm b; "' }, 'some', 'unclear'],
    ['Bash(rm:*)', 'PowerShell', { command: 'npm test "a\\"; rm b; "' }, 'some', 'unclear'],
    ['Bash', 'PowerShell', { command: '$x' }, 'all', 'all'],
    ['PowerShell', 'Bash', { command: 'ls' }, 'none', 'none'],
    ['Edit(docs/**)', 'apply_patch', { command: docs }, 'all', 'all'],
    ['Edit(docs/**)', 'apply_patch', { command: both }, 'some', 'some'],
    ['Edit(docs/**)', 'apply_patch', { command: 'no patch' }, 'unclear', 'unclear'],
    ['Edit(docs/**)', 'apply_patch', {}, 'unclear', 'unclear'],
    ['Edit(docs/**)', 'apply_patch', { command: removed }, 'all', 'none'],
    ['Edit', 'apply_patch', { command: removed }, 'all', 'none'],
    ['Edit', 'apply_patch', { command: docs }, 'all', 'all'],
    ['apply_patch(docs/**)', 'apply_patch', { command: removed }, 'all', 'all'],
    ['Read(docs/**)', 'apply_patch', { command: docs }, 'none', 'none'],
    ['Edit(docs/**)', 'run_command', { command: shell(docs) }, 'some', 'none'],
    ['Edit(docs/**)', 'Bash', { command: shell(both) }, 'some', 'none'],
    ['Edit(docs/**)', 'Bash', { command: shell(patch('*** Add File: a', '+x')) }, 'none', 'none'],
    ['Edit(docs/**)', 'Bash', { command: `apply_patch '${patch('$F')}'` }, 'unclear', 'none'],
    ['Edit(docs/**)', 'Bash', { command: 'cat docs/a' }, 'none', 'none'],
    ['Edit', 'Bash', { command: shell(docs) }, 'some', 'none'],
    ['Edit', 'Bash', { command: 'ls' }, 'none', 'none'],
    ['Read(.env)', 'read_many_files', { paths: ['a', '.env'] }, 'some', 'some'],
    ['Read(.env)', 'read_many_files', { paths: ['a', 'b'] }, 'none', 'none'],
    ['Read(.env)', 'read_many_files', { paths: ['{.env,a}'] }, 'some', 'some'],
    ['Read(.env)', 'read_many_files', { paths: ['*'] }, 'unclear', 'unclear'],
    ['Read(.env)', 'read_many_files', { paths: [] }, 'unclear', 'unclear'],
    ['Read(docs/**)', 'read_many_files', { paths: ['docs/a', 'docs/b'] }, 'all', 'all'],
    ['Read(.env)', 'search_text', { pattern: 'K' }, 'unclear', 'unclear'],
    ['WebFetch(domain:x.example)', 'WebFetch', { url: web.url[0] }, 'all', 'all'],
    ['WebFetch(domain:x.example)', 'WebFetch', web, 'some', 'some'],
    ['WebFetch(domain:z.example)', 'WebFetch', web, 'none', 'none'],
    ['WebFetch(domain:*.example)', 'WebFetch', web, 'all', 'all'],
    ['WebFetch(domain:z.example)', 'WebFetch', { url: [] }, 'unclear', 'unclear'],
    ['mcp__github__*', 'mcp__github__create_issue', {}, 'all', 'all'],
    ['mcp__github', 'mcp__github__create_issue', {}, 'all', 'all'],
    ['mcp__github', 'mcp__gitlab__create_issue', {}, 'none', 'none'],
    // The same as objects.
    [{ command: 'rm:*' }, 'PowerShell', { command: 'RM a' }, 'all', 'none'],
    [{ command: 'rm:*' }, 'run_command', {}, 'unclear', 'unclear'],
    [{ command: 'rm:*' }, 'apply_patch', { command: docs }, 'none', 'none'],
    [{ path: 'docs/**' }, 'apply_patch', { command: both }, 'some', 'some'],
    [{ path: 'docs/**' }, 'apply_patch', {}, 'unclear', 'unclear'],
    [{ path: 'docs/**' }, 'read_file', {}, 'unclear', 'unclear'],
    [{ path: 'docs/**' }, 'Bash', { command: shell(docs) }, 'some', 'none'],
    [{ path: 'docs/**' }, 'Bash', { command: 'ls' }, 'none', 'none'],
    [{ path: '.env' }, 'read_many_files', { paths: ['.env', 'a'] }, 'some', 'some'],
    [{ host: 'x.example' }, 'WebFetch', web, 'some', 'some'],
    [{ host: 'x.example' }, 'WebFetch', {}, 'unclear', 'unclear'],
    [{ host: 'x.example' }, 'WebFetch', { url: ['https://x.example', 7] }, 'some', 'some'],
  ] as const)
    it(`${JSON.stringify(rule)} in deny and allow: ${tool} ${JSON.stringify(input)}`, () => {
      expect(match(rule, tool, input)).to.deep.equal([denies, allows]);
    });
});
