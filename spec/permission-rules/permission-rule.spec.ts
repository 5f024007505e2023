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
    it(`is parsed from ${text}`, () => {
      expect(parsePermissionRule(text)).to.deep.equal({ text, tool, ...(specifier !== undefined && { specifier }) });
    });

  for (const text of ['', '   ', '(x)', 'Bash(', 'Bash(x', 'Bash()', 'Bash)x(', 'Bash (x) y', 'a b', 'git status'])
    it(`is not parsed from ${JSON.stringify(text)}, and the error contains the fix`, () => {
      expect(() => parsePermissionRule(text)).to.throw(/is invalid: .+ Write Tool or Tool\(specifier\)/);
    });

  for (const [text, why] of [
    ['Read(#secret)', /starts with "#".*Write \\#/],
    ['Read(!x)', /starts with "!".*Write \\!/],
    ['delete_file(!x)', /starts with "!"/],
    ['read_file(#x)', /starts with "#"/],
    ['Read(a/../b)', /"\.\." in it/],
    ['Read(./a/./b)', /"\." in it/],
    ['Read(a//b)', /nothing between two "\/"/],
    ['Read(.)', /Write \.\/\*\*/],
    ['Read(~/)', /Write ~\/\*\*/],
    ['Read(//)', /Write \/\/\*\*/],
    ['Read(a\\)', /ends with "\\"/],
    ['WebFetch(domain:)', /not a host name/],
    ['WebFetch(domain:a b.example)', /not a host name/],
    ['WebFetch(domain:https://a.example)', /not a host name/],
    ['WebFetch(domain:a.example/x)', /not a host name/],
    ['WebFetch(domain:a.example:8080)', /not a host name/],
    ['WebFetch(domain:*bücher.example)', /not a host name/],
  ] as const)
    it(`is not parsed from ${text}, which matches nothing`, () => {
      expect(() => parsePermissionRule(text)).to.throw(why);
    });

  it('is parsed from text that another tool may use differently', () => {
    for (const text of [
      'Bash(. ./x)',
      'Bash(git log -- a/../b)',
      'Read(\\#x)',
      'Read(./#x)',
      'Read(../x/**)',
      'Read(.env)',
    ])
      expect(parsePermissionRule(text).text).to.equal(text);
  });
});
