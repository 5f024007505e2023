import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { toTheirs, workspaceToolTable } from '../../lib/permission-rules/action/tool-table.ts';
import { callRuleMatcher } from '../../lib/permission-rules/call-rule.ts';
import { callRuleSchema } from '../../lib/permission-rules/call-rule-schema.ts';
import type { RuleMatch } from '../../lib/permission-rules/rule-match.ts';
import { tempFolder } from '../temp-folder.ts';

function match(rule: object, tool: string, input: object, cwd = '/project'): RuleMatch {
  const { as, input: theirs } = toTheirs(workspaceToolTable, tool, input as never);
  const place = { cwd, home: '/home/me' };
  return callRuleMatcher(
    callRuleSchema.parse(rule),
    place,
  )({
    ...{ own: tool, given: input as never, tool: as, input: theirs, permission: 'read' },
  });
}

describe('an exact rule', () => {
  const exactly = { path: 'a*.txt', content: { lines: [1, '2'] } };
  for (const [tool, input, expected] of [
    ['write_file', { content: { lines: [1, '2'] }, path: 'a*.txt' }, 'all'],
    ['write_file', { path: 'ab.txt', content: { lines: [1, '2'] } }, 'none'],
    ['write_file', { path: 'a*.txt', content: { lines: ['1', '2'] } }, 'none'],
    ['write_file', { ...exactly, mode: 1 }, 'none'],
    ['write_file', { path: 'a*.txt' }, 'none'],
    ['write_file', { path: 'a*.txt', content: { $sealed: 'x', nonce: 'y' } }, 'unclear'],
    ['Write', exactly, 'none'],
    ['write_files', exactly, 'none'],
  ] as const)
    it(`matches ${tool} ${JSON.stringify(input)}: ${expected}`, () => {
      expect(match({ tool: 'write_file', exactly }, tool, input)).to.equal(expected);
    });

  it('matches no tool that is only another name for it', () => {
    const input = { command: 'npm test' };
    expect(match({ tool: 'Bash', exactly: input }, 'run_command', input)).to.equal('none');
    expect(match({ tool: 'Bash', command: 'npm test' }, 'run_command', input)).to.equal('all');
  });
});

describe('object rules', () => {
  for (const [path, tool, input, expected] of [
    ['.env', 'search_text', { pattern: 'KEY' }, 'unclear'],
    ['.env', 'search_text', { pattern: 'KEY', path: '.' }, 'unclear'],
    [['./secrets/**'], 'search_text', { pattern: 'KEY' }, 'unclear'],
    [['./secrets/**'], 'search_text', { pattern: 'KEY', path: 'other' }, 'none'],
    [['./secrets/**'], 'search_text', { pattern: 'KEY', path: 'secrets/a' }, 'all'],
    [['./secrets/**'], 'list_files', { path: 'secrets' }, 'unclear'],
    [['./secrets/**'], 'list_files', {}, 'none'],
    ['inside', 'search_text', { pattern: 'KEY' }, 'all'],
    ['inside', 'search_text', { pattern: 'KEY', path: '/' }, 'unclear'],
    ['outside', 'search_text', { pattern: 'KEY' }, 'none'],
    ['.env', 'read_file', { path: 'a/.env' }, 'all'],
    ['.env', 'deploy', {}, 'none'],
    ['.env', 'copy', { source: 'a/.env', destination: 'b' }, 'some'],
    ['.env', 'copy', { source: ['.env'] }, 'all'],
  ] as const)
    it(`about ${path} matches ${tool} ${JSON.stringify(input)}: ${expected}`, () => {
      expect(match({ path }, tool, input)).to.equal(expected);
    });
});

describe('schema of object rules', () => {
  for (const [rule, why] of [
    [{ path: '#secret' }, /starts with \W+#/],
    [{ path: ['.env', '!x'] }, /starts with \W+!/],
    [{ path: 'a/../b' }, /in it/],
    [{ host: 'https://a.example' }, /not a host name/],
    [{ host: ['a.example', 'b.example:80'] }, /not a host name/],
  ] as const)
    it(`rejects ${JSON.stringify(rule)}, which matches nothing`, () => {
      expect(() => callRuleSchema.parse(rule)).to.throw(why);
    });
});

describe('a path rule in a folder that is a link', () => {
  const real = tempFolder('real');
  const cwd = join(tempFolder('links'), 'link');
  const vault = tempFolder('vault');
  symlinkSync(real, cwd);
  mkdirSync(join(real, 'secrets'));
  writeFileSync(join(real, 'secrets', 'k'), 'k');
  writeFileSync(join(vault, 'k'), 'k');
  symlinkSync(vault, join(real, 'vault'));
  symlinkSync(join(vault, 'k'), join(real, 'key'));

  for (const [path, named, expected] of [
    ['./secrets/**', join(real, 'secrets', 'k'), 'all'],
    ['./secrets/**', 'secrets/k', 'all'],
    ['k', join(real, 'secrets', 'k'), 'all'],
    ['./**', 'secrets/new', 'all'],
    [`/${cwd}/secrets/**`, join(real, 'secrets', 'k'), 'all'],
    [`/${cwd}/secrets/**`, 'secrets/k', 'all'],
    // The name of the rule is a link: its target is denied, but the name allows nothing there.
    ['./vault/**', join(vault, 'k'), 'some'],
    ['./vault/**', 'vault/k', 'some'],
    ['./vault', join(vault, 'k'), 'some'],
    ['./key', join(vault, 'k'), 'some'],
    ['./key', join(vault, 'other'), 'none'],
    ['./secrets/**', join(real, 'other'), 'none'],
  ] as const)
    it(`${path} matches ${named}: ${expected}`, () => {
      expect(match({ path }, 'read_file', { path: named }, cwd)).to.equal(expected);
    });

  it('applies to searches of the real folder, or of one that a link names', () => {
    expect(match({ path: './secrets/**' }, 'search_text', { pattern: 'k', path: real }, cwd)).to.equal('unclear');
    expect(match({ path: './vault/**' }, 'search_text', { pattern: 'k', path: vault }, cwd)).to.not.equal('none');
  });
});

describe('a host in a field of any name', () => {
  it('makes a rule for any tool that names it unclear', () => {
    for (const input of [{ target: 'a.internal' }, { x: 'a.internal:5432' }, { to: ['ok.example', 'A.internal.'] }])
      expect(match({ host: '*.internal' }, 'go', input), JSON.stringify(input)).to.equal('unclear');
    expect(match({ host: '*.internal' }, 'go', { url: 'https://ok.example', via: 'a.internal' })).to.equal('unclear');
    expect(match({ host: 'localhost' }, 'go', { x: 'localhost:80' })).to.equal('unclear');
  });

  it('does not for another host, a content, a rule for all hosts or an allow rule', () => {
    for (const input of [{ target: 'a.example' }, { text: 'a.internal' }, { x: 'see a.internal' }, { x: 5 }])
      expect(match({ host: '*.internal' }, 'go', input), JSON.stringify(input)).to.equal('none');
    expect(match({ host: '*' }, 'go', { x: 'main.ts' })).to.equal('none');
    const call = { own: 'go', tool: 'go', input: { x: 'a.internal' }, permission: 'read' } as const;
    const allow = callRuleMatcher(callRuleSchema.parse({ host: '*.internal' }), { cwd: '/', home: '/' }, 'allow');
    expect(allow(call)).to.equal('none');
  });
});
