import { expect } from 'chai';
import { createMatcher } from '../../../../lib/process-hooks/claude/settings/matcher.ts';

describe('a Claude Code matcher', () => {
  for (const [matcher, yes, no] of [
    ['', ['Bash', ''], []],
    ['*', ['Bash'], []],
    ['Bash', ['Bash'], ['bash', 'BashOutput']],
    ['Edit|Write', ['Edit', 'Write'], ['MultiEdit']],
    ['Edit, Write', ['Edit', 'Write'], ['Edit, Write']],
    ['mcp__.*', ['mcp__a__b', 'x mcp__'], ['Bash']],
    ['^Notebook', ['NotebookEdit'], ['MyNotebook']],
  ] as const) {
    it(`reads ${JSON.stringify(matcher)}`, () => {
      const matches = createMatcher(matcher);
      for (const field of yes) expect(matches(field), field).to.equal(true);
      for (const field of no) expect(matches(field), field).to.equal(false);
    });
  }

  it('rejects an invalid expression, because its guard would never run', () => {
    expect(() => createMatcher('Bash(')).to.throw(/"Bash\(" is not a valid regular expression/);
  });
});
