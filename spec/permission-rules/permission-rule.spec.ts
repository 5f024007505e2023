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

  for (const [text, why] of [
    ['Read(#secret)', /begins with "#".*Write \\#/],
    ['Read(!x)', /begins with "!".*Write \\!/],
    ['delete_file(!x)', /begins with "!"/],
    ['read_file(#x)', /begins with "#"/],
    ['Read(a/../b)', /"\.\." within/],
    ['Read(./a/./b)', /"\." within/],
    ['Read(a//b)', /nothing between two "\/"/],
    ['Read(.)', /Write \.\/\*\*/],
    ['Read(~/)', /Write ~\/\*\*/],
    ['Read(//)', /Write \/\/\*\*/],
    ['Read(a\\)', /ends with "\\"/],
    ['WebFetch(domain:)', /no name of a host/],
    ['WebFetch(domain:a b.example)', /no name of a host/],
    ['WebFetch(domain:https://a.example)', /no name of a host/],
    ['WebFetch(domain:a.example/x)', /no name of a host/],
    ['WebFetch(domain:a.example:8080)', /no name of a host/],
    ['WebFetch(domain:*bücher.example)', /no name of a host/],
  ] as const)
    it(`is not read from ${text}, which fits nothing`, () => {
      expect(() => parsePermissionRule(text)).to.throw(why);
    });

  it('is read from what another tool may mean by such a text', () => {
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
