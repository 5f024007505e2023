import * as fc from 'fast-check';
import { toTheirs, workspaceToolTable } from '../../../lib/permission-rules/action/tool-table.ts';
import { callRuleMatcher } from '../../../lib/permission-rules/call-rule.ts';
import { callRuleSchema } from '../../../lib/permission-rules/call-rule-schema.ts';
import { ruleMatcher } from '../../../lib/permission-rules/match-rules.ts';
import { parsePermissionRule } from '../../../lib/permission-rules/permission-rule.ts';

const place = { cwd: '/project', home: '/home/me' };
type Call = readonly [name: string, input: object];

/** Returns how rules of both forms match a call, as refusals and as permissions. */
function decided(rules: readonly (string | object)[], [own, input]: Call): string {
  const { as, input: theirs } = toTheirs(workspaceToolTable, own, input as never);
  const call = { own, tool: as, input: theirs, permission: 'external' as const };
  return JSON.stringify(
    (['refuse', 'allow'] as const).map((effect) =>
      rules.map((rule) =>
        typeof rule === 'string'
          ? ruleMatcher([parsePermissionRule(rule)], place, effect)(call)
          : callRuleMatcher(callRuleSchema.parse(rule), place, effect)(call),
      ),
    ),
  );
}

const word = fc.constantFrom('rm', 'git', 'push', '-rf', 'a', 'npm', 'test', './x', '--force');
const line = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const name = fc.constantFrom('docs', 'src', '.env', 'a', 'b.ts', '..', 'key.pem', '.git');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const pattern = fc.constantFrom(
  'docs/**',
  '.env',
  '*.pem',
  './src/*',
  '.git/**',
  '//project/a',
  '/src',
  '**/b.ts',
  'docs/a',
);
const host = fc.constantFrom('x.example', 'y.example', '*.example', 'localhost');
const url = fc.constantFrom('https://x.example', 'http://y.example/a', 'https://x.example:80', 'no address', 'data:,x');

const patch = (header: string, at: string) => `*** Begin Patch\n*** ${header}: ${at}\n+x\n*** End Patch`;

/** For each family: random rules, and one action under each name. */
const families: Readonly<
  Record<string, fc.Arbitrary<readonly [rules: readonly (string | object)[], calls: readonly Call[]]>>
> = {
  shell: fc
    .tuple(line, line, fc.boolean())
    .map(([rule, command, more]) => [
      [`Bash(${rule}${more ? ':*' : ''})`, { command: more ? `${rule}:*` : rule }, 'Bash'],
      ['run_command', 'Bash', 'PowerShell'].map((tool) => [tool, { command }]),
    ]),
  read: fc.tuple(pattern, path).map(([rule, at]) => [
    [`Read(${rule})`, `Edit(${rule})`, { path: rule }, 'Read'],
    [
      ['read_file', { path: at }],
      ['Read', { file_path: at }],
      ['read_many_files', { paths: [at] }],
    ],
  ]),
  write: fc.tuple(pattern, path).map(([rule, at]) => [
    [`Read(${rule})`, `Edit(${rule})`, { path: rule }, 'Edit'],
    [
      ['write_file', { path: at, content: 'x' }],
      ['Write', { file_path: at, content: 'x' }],
      ['Edit', { file_path: at, old_string: 'a', new_string: 'b' }],
      ['MultiEdit', { file_path: at, edits: [] }],
      ['NotebookEdit', { notebook_path: at, new_source: 'x' }],
      ['apply_patch', { command: patch('Add File', at) }],
      ['apply_patch', { command: patch('Update File', at) }],
    ],
  ]),
  deletion: fc.tuple(pattern, path).map(([rule, at]) => [
    [`Edit(${rule})`, { path: rule }, 'Edit'],
    [
      ['delete_file', { path: at }],
      ['apply_patch', { command: patch('Delete File', at) }],
    ],
  ]),
  search: fc.tuple(pattern, path).map(([rule, at]) => [
    [`Read(${rule})`, { path: rule }, 'Read'],
    [
      ['search_text', { pattern: 'x', path: at }],
      ['Grep', { pattern: 'x', path: at }],
    ],
  ]),
  web: fc.tuple(host, url).map(([rule, at]) => [
    [`WebFetch(domain:${rule})`, { host: rule }],
    [
      ['WebFetch', { url: at }],
      ['WebFetch', { url: [at] }],
      ['WebFetch', { url: [at, at] }],
    ],
  ]),
  unreadable: fc
    .tuple(pattern, fc.constantFrom(undefined, null, 7, [7], {}))
    .map(([rule, value]) => [
      [`Edit(${rule})`, { path: rule }],
      ['write_file', 'Write', 'Edit', 'NotebookEdit', 'apply_patch'].map((tool) => [
        tool,
        value === undefined ? {} : { [tool === 'apply_patch' ? 'command' : 'path']: value },
      ]),
    ]),
};

describe('rules decide the same for an action under every name', () => {
  for (const [family, random] of Object.entries(families))
    it(`of the family ${family}`, () => {
      fc.assert(
        fc.property(random, ([rules, [first, ...others]]) => {
          const expected = decided(rules, first as Call);
          return others.every((call) => decided(rules, call) === expected);
        }),
        { numRuns: 300 },
      );
    });
});
