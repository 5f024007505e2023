import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { permission } from '../../lib/hooks/permission/permission.ts';
import type { PermissionOptions } from '../../lib/hooks/permission/permission-options.ts';
import { fakeContext } from '../hooks/fake-context.ts';
import * as sample from '../hooks/sample-events.ts';
import { tempFolder } from '../temp-folder.ts';

const project = tempFolder('edit-in-shell');
for (const folder of ['docs', 'src', 'docs/api']) mkdirSync(join(project, folder));
for (const file of ['.env', 'docs/a.md', 'src/a.ts', 'notes']) writeFileSync(join(project, file), '');

/** Returns the verdict on a command, in a policy that allows all others. */
function verdict(rules: PermissionOptions, command: string, name = 'Bash'): string {
  const hook = permission({ default: 'allow', ...rules }, { workspace: project });
  const event = { ...sample.preActing, toolCall: { ...sample.preActing.toolCall, name, input: { command } } };
  const decided = hook.approve?.(event, fakeContext()) as { readonly verdict: string };
  return decided.verdict;
}

const forms = (path: string): readonly PermissionOptions[] => [
  { deny: [`Edit(${path})`] },
  { deny: [{ tool: 'Edit', path }] },
  { deny: [{ tool: ['Write', 'Edit'], path: ['no-such', path] }] },
];

const WRITES: Readonly<Record<string, readonly string[]>> = {
  'docs/**': [
    'echo x > docs/a.md',
    'echo x >docs/a.md',
    'echo x >> "docs/a.md"',
    'echo x >| docs/a.md',
    'echo x &> docs/a.md',
    'cmd 2>docs/errors.txt',
    ': > docs/new.md',
    `echo x > ${project}/docs/a.md`,
    'echo x > src/../docs/a.md',
    'cd docs && echo x > a.md',

    'cd src; cd ../docs; rm a.md',
    'echo x | tee docs/a.md',
    'echo x | tee -a notes docs/a.md',
    'echo x | sudo tee docs/a.md > /dev/null',
    "sed -i 's/a/b/' docs/a.md",
    "sed -i.bak -e 's/a/b/' docs/a.md",
    "sed --in-place 's/a/b/' docs/a.md",
    "sed -Ei 's/a/b/' docs/a.md",
    "perl -pi -e 's/a/b/' docs/a.md",
    "perl -i.bak -pe 's/a/b/' docs/a.md",
    'cp notes docs/a.md',
    'cp notes docs',
    'cp -t docs notes',
    'cp --target-directory=docs notes',
    'mv notes docs/',
    'mv docs/a.md notes',
    'mv docs/* src',
    'ln -s ../notes docs/a.md',
    'install -m 644 notes docs/a.md',
    'rsync -a src/ docs/',
    'rm docs/a.md',
    'rm -rf docs/*',
    'rm -rf docs/api',
    'unlink docs/a.md',
    'touch docs/new.md',
    'truncate -s 0 docs/a.md',
    'dd if=notes of=docs/a.md',
    'sort notes -o docs/a.md',
    'sort --output=docs/a.md notes',
    'curl -o docs/a.md https://x.example',
    'curl -sSLo docs/a.md https://x.example',
    'wget -O docs/a.md https://x.example',
    'git checkout -- docs/a.md',
    'git restore docs/a.md',
    'git rm docs/a.md',
    'git mv docs/a.md notes',
    'F=docs/a.md; echo x > $F',
    'sh -c "echo x > docs/a.md"',
    'npm test; echo x > docs/a.md',
    'find docs -name "*.md" -delete',
    'find docs -type f -exec rm {} +',
    'ls docs/*.md | xargs rm',
    'echo docs/a.md | xargs -n1 touch',
    'tar xf x.tar -C docs',
    'unzip x.zip -d docs',
    "ed docs/a.md <<< 'd'",
  ],
  '.env': [
    'echo A=1 >> .env',
    'cat > .env <<EOF\nA=1\nEOF',
    'cp notes .env',
    'cp .env.example ./.env',
    'rm .en?',
    'mv .env x',
  ],
};

const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'docs/**': [
    'cat docs/a.md',
    'cat < docs/a.md > notes',
    'grep -r x docs',
    'cp docs/a.md notes',
    'cp -r docs/api src',
    "sed 's/a/b/' docs/a.md > notes",
    'sed -n 1p docs/a.md',
    'npm test > out.txt 2>&1',
    'cd docs && cat a.md',
    'cd docs && cat a.md > ../notes',
    'diff docs/a.md notes',
    'echo x > src/a.ts',
    'rm src/a.ts',
    'tar cf x.tar docs',
    'git add docs/a.md',
    'git diff docs',
    'find docs -name "*.md"',
    'ls docs | wc -l',
    'curl -o notes https://x.example/docs/a.md',
    'echo "a > docs/a.md"',
  ],
  '.env.*': ['find . -name "*.log" -delete', 'find . -name "*.pyc" -exec rm {} +', 'rm *.log'],
  '**/secrets/*': ['touch new', 'rm -rf dist', 'git checkout main', 'mv a b', 'echo x | tee out.txt'],
  '.git/**': [
    'rm *',
    'rm -rf ./*',
    'git restore .',
    'git checkout -- .',
    'git commit -m "x > .git/config"',
    'touch new',
  ],
  '.env': [
    'rm -rf dist',
    'git clean -fd',
    'cat .env > notes',
    'cp .env notes',
    'rm -r $X',
    'curl -o notes https://x.example/.env',
  ],
  '**': ['cat docs/a.md', 'npm test', 'npm test > /dev/null 2>&1', 'ls 2>/dev/null'],
};

describe('Edit rules in shell commands', () => {
  for (const [path, lines] of Object.entries(WRITES))
    for (const line of lines)
      it(`deny ${line} for Edit(${path})`, () => {
        for (const rules of forms(path)) expect(verdict(rules, line), JSON.stringify(rules)).to.equal('denied');
      });

  for (const [path, lines] of Object.entries(OTHERS))
    for (const line of lines)
      it(`leave ${line} for Edit(${path})`, () => {
        for (const rules of forms(path)) expect(verdict(rules, line), JSON.stringify(rules)).to.equal('approved');
      });

  it('deny writes of PowerShell', () => {
    for (const line of [
      'Set-Content docs/a.md x',
      'Set-Content -Path docs\\a.md -Value x',
      '"x" | Out-File docs/a.md',
      'Remove-Item docs/a.md',
      'Copy-Item notes docs/a.md',
      'echo x > docs\\a.md',
    ])
      expect(verdict({ deny: ['Edit(docs/**)'] }, line, 'PowerShell'), line).to.equal('denied');
    expect(verdict({ deny: ['Edit(docs/**)'] }, 'Get-Content docs/a.md', 'PowerShell')).to.equal('approved');
  });

  it('ask for such a command, too', () => {
    expect(verdict({ ask: ['Edit(docs/**)'] }, 'rm docs/a.md')).to.not.be.oneOf(['approved', 'denied']);
  });

  it('allow no command', () => {
    expect(verdict({ default: 'deny', allow: ['Edit(docs/**)'] }, 'rm docs/a.md')).to.equal('denied');
  });

  it('without a path are about tools only', () => {
    expect(verdict({ deny: ['Edit'] }, 'rm docs/a.md')).to.equal('approved');
  });
});
