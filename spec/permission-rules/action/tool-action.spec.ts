import { expect } from 'chai';
import { toolAction } from '../../../lib/permission-rules/action/tool-action.ts';

const patch = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const see = (name: string, input: object) => toolAction({ name, input: input as never });

describe('the action of a call', () => {
  for (const [name, input, expected] of [
    ['run_command', { command: 'ls' }, { family: 'shell', command: 'ls' }],
    ['Bash', { command: 'ls' }, { family: 'shell', command: 'ls' }],
    ['PowerShell', { command: 'dir' }, { family: 'shell', command: 'dir' }],
    ['read_file', { path: 'a' }, { family: 'read', paths: ['a'] }],
    ['Read', { file_path: 'a' }, { family: 'read', paths: ['a'] }],
    ['read_many_files', { paths: ['a', 'src/*.ts'] }, { family: 'read', paths: ['a', './src/'] }],
    ['write_file', { path: 'a', content: 'path: b' }, { family: 'write', paths: ['a'] }],
    ['delete_file', { path: 'a' }, { family: 'write', paths: ['a'] }],
    ['Edit', { file_path: 'a', old_string: '', new_string: '' }, { family: 'write', paths: ['a'] }],
    ['NotebookEdit', { notebook_path: 'a' }, { family: 'write', paths: ['a'] }],
    ['search_text', { pattern: 'x' }, { family: 'search', paths: ['.'] }],
    ['Grep', { pattern: 'x', path: 'a' }, { family: 'search', paths: ['a'] }],
    ['list_files', {}, { family: 'search', paths: ['.'] }],
    ['Glob', { pattern: '/etc/*' }, { family: 'search', paths: ['/etc/'] }],
    ['WebFetch', { url: 'https://a.example' }, { family: 'web', urls: ['https://a.example'] }],
    [
      'WebFetch',
      { url: ['https://a.example', 'https://b.example'] },
      { family: 'web', urls: ['https://a.example', 'https://b.example'] },
    ],
    ['WebSearch', { query: 'x' }, { family: 'web' }],
    ['Agent', { prompt: 'x' }, { family: 'agent' }],
    ['mcp__github__create_issue', { title: 'x' }, { family: 'mcp', server: 'github', tool: 'create_issue' }],
    ['update_plan', { path: 'a' }, { family: 'other' }],
  ] as const)
    it(`of ${name} ${JSON.stringify(input)} is ${JSON.stringify(expected)}`, () => {
      expect(see(name, input)).to.deep.include(expected);
      expect(see(name, input).unreadable).to.equal(undefined);
      expect(see(name, input).raw).to.equal(input);
    });

  for (const [name, input] of [
    ['run_command', {}],
    ['Bash', { command: ['ls'] }],
    ['PowerShell', { command: 7 }],
    ['read_file', {}],
    ['Read', { file_path: { a: 1 } }],
    ['read_many_files', { paths: [] }],
    ['read_many_files', { paths: 'a' }],
    ['read_many_files', { paths: ['a', 7] }],
    ['write_file', { content: 'x' }],
    ['Edit', {}],
    ['delete_file', { path: null }],
    ['apply_patch', {}],
    ['apply_patch', { command: ['a'] }],
    ['WebFetch', {}],
    ['WebFetch', { url: [] }],
    ['WebFetch', { url: ['https://a.example', 7] }],
    ['Glob', { pattern: 7 }],
  ] as const)
    it(`of ${name} ${JSON.stringify(input)} is unreadable`, () => {
      expect(see(name, input).unreadable).to.be.a('string');
    });
});

describe('the paths of a patch', () => {
  const of = (text: string) => {
    const { paths, changes = [], unreadable } = see('apply_patch', { command: text });
    const deletes = changes.flatMap(({ path, does }) => (does === 'delete' || does === 'leave' ? [path] : []));
    return { paths, deletes, unreadable: unreadable !== undefined };
  };

  for (const [what, text, paths, deletes] of [
    ['an update', patch('*** Update File: src/a.ts', '@@', '-x', '+y'), ['src/a.ts'], []],
    ['an addition and a deletion', patch('*** Add File: a', '+x', '*** Delete File: b'), ['a', 'b'], ['b']],
    ['a move', patch('*** Update File: a', '*** Move to: b', '@@', ' x'), ['a', 'b'], ['a']],
    ['blanks around it', `\n  ${patch('*** Add File: a b.txt ', '+x')}\n\n`, ['a b.txt'], []],
    ['lines of Windows', patch('*** Add File: a', '+x').replaceAll('\n', '\r\n'), ['a'], []],
    ['a here-document', `<<'EOF'\n${patch('*** Add File: a', '+x')}\nEOF`, ['a'], []],
    [
      'headers in added and removed lines',
      patch('*** Update File: a', '-*** Add File: b', '+*** Delete File: c'),
      ['a'],
      [],
    ],
    ['an indented header', patch('*** Update File: a', '@@', ' *** Delete File: b'), ['a', 'b'], ['b']],
    ['the end of a file', patch('*** Update File: a', '@@', '+x', '*** End of File'), ['a'], []],
  ] as const)
    it(`with ${what}`, () => {
      expect(of(text)).to.deep.equal({ paths, deletes, unreadable: false });
    });

  it('are unreadable without a header, a path or an end', () => {
    for (const text of ['', 'hello', patch(), patch('*** Update File:  '), '*** Begin Patch\n*** Add File: a\n+x'])
      expect(of(text).unreadable, text).to.equal(true);
  });

  it('are those of patches in a shell line', () => {
    for (const before of ["apply_patch <<'EOF'", 'apply_patch << "P"', "cd x && apply_patch <<-'E'"]) {
      const action = see('run_command', { command: `${before}\n${patch('*** Update File: docs/a', '+$x')}\nEOF` });
      expect(action, before).to.deep.include({ family: 'shell', paths: ['docs/a'] });
      expect(action.unreadable, before).to.equal(undefined);
    }
  });

  it('are unreadable in a shell line if the shell may change them', () => {
    for (const command of [
      `apply_patch <<EOF\n${patch('*** Update File: $F', '+x')}\nEOF`,
      `apply_patch <<EOF\n${patch('*** Update File: a', '$(cat more)')}\nEOF`,
      "printf '*** Begin Patch\\n*** Update File: a\\n*** End Patch' | apply_patch",
      `apply_patch '${patch('*** Add File: a', '+x\\n*** Delete File: b')}'`,
      "apply_patch '*** Begin Patch",
    ])
      expect(see('Bash', { command }).unreadable, command).to.be.a('string');
  });
});
