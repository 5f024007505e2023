import { expect } from 'chai';
import { findDanger } from '../../../lib/permission-rules/danger/find-danger.ts';
import { processorTime } from '../../processor-time.ts';

const patch = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const shell = (text: string) => `apply_patch <<'EOF'\n${text}\nEOF`;
const exists = (path: string) => path === 'old';

describe('the danger of an action under the names of several agents', () => {
  for (const [tool, input, pattern] of [
    ['run_command', { command: 'rm -rf a' }, 'rm'],
    ['Bash', { command: 'rm -rf a' }, 'rm'],
    ['PowerShell', { command: 'rm a' }, 'rm'],
    ['PowerShell', { command: 'Remove-Item -Recurse -Force .\\a' }, 'remove-item'],
    ['PowerShell', { command: 'Get-ChildItem | ForEach-Object { REMOVE-ITEM $_ }' }, 'remove-item'],
    ['PowerShell', { command: 'Get-Item a | % { ri $_ }' }, 'ri'],
    ['PowerShell', { command: 'Rem`ove-Item a' }, 'remove-item'],
    ['PowerShell', { command: 'git push --force' }, 'git push --force'],
    ['delete_file', { path: 'a' }, 'delete'],
    ['apply_patch', { command: patch('*** Delete File: a') }, 'Delete File: a'],
    ['apply_patch', { command: patch('*** Add File: old', '+x') }, 'Add File: old'],
    ['apply_patch', { command: patch('*** Update File: a', '*** Move to: old', '@@', '-x') }, 'Move to: old'],
    ['apply_patch', { command: 'no patch' }, 'apply_patch'],
    ['run_command', { command: shell(patch('*** Delete File: a')) }, 'Delete File: a'],
  ] as const)
    it(`finds ${tool} ${JSON.stringify(input)}`, () => {
      expect(findDanger(tool, input, exists)?.pattern).to.equal(pattern);
    });

  for (const [tool, input] of [
    ['PowerShell', { command: 'Get-ChildItem C:\\dev\\rm' }],
    ['PowerShell', { command: 'Write-Output "done"; npm test' }],
    ['apply_patch', { command: patch('*** Update File: a', '-rm -rf x', '+y') }],
    ['apply_patch', { command: patch('*** Add File: new', '+rm -rf x') }],
    ['apply_patch', { command: patch('*** Update File: a', '*** Move to: new', '@@', '-x') }],
    ['run_command', { command: shell(patch('*** Update File: old', '+x')) }],
  ] as const)
    it(`ignores ${tool} ${JSON.stringify(input)}`, () => {
      expect(findDanger(tool, input, exists)).to.equal(undefined);
    });

  it('is found in linear time', () => {
    const all = (): void => {
      for (const part of ['\n', ';', ' ', "<<'a'", '*** Begin Patch', '***  ', '\n*** Update File: a', '`', '('])
        for (const tool of ['PowerShell', 'apply_patch', 'run_command'])
          findDanger(tool, { command: `*** Begin Patch${part.repeat(100_000 / part.length)}` });
    };
    expect(processorTime(all, 1)).to.be.below(10_000);
  });
});
