import { expect } from 'chai';
import { parsePermissionRule } from '../../lib/permission-rules/permission-rule.ts';

describe('a permission rule', () => {
  for (const [text, tool, specifier] of [
    ['Bash', 'Bash', undefined],
    ['Bash(*)', 'Bash', undefined],
    [' Bash(npm run:*) ', 'Bash', 'npm run:*'],
    ['Bash(echo "(x)")', 'Bash', 'echo "(x)"'],
    ['Read(//etc/**)', 'Read', '//etc/**'],
    ['WebFetch(domain:example.com)', 'WebFetch', 'domain:example.com'],
    ['mcp__git_hub__*', 'mcp__git_hub__*', undefined],
  ] as const)
    it(`is read from ${text}`, () => {
      expect(parsePermissionRule(text)).to.deep.equal({ text, tool, ...(specifier !== undefined && { specifier }) });
    });

  for (const text of ['', '   ', '(x)', 'Bash(', 'Bash(x', 'Bash()', 'Bash)x(', 'Bash (x) y', 'a b', 'git status'])
    it(`is not read from ${JSON.stringify(text)}, with what to write instead`, () => {
      expect(() => parsePermissionRule(text)).to.throw(/cannot be read: .+ Write Tool or Tool\(specifier\)/);
    });
});
