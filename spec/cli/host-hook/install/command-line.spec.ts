import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { isHookOf, powershellLine, sayingLine } from '../../../../lib/cli/host-hook/install/command-line.ts';

const words = ['node', '/my tools/main.js', 'hook', '--as', 'codex'];

describe('the lines of installed commands', () => {
  it('start a quoted path in PowerShell, and deny with a text if it does not start', () => {
    const line = powershellLine(['node', 'C:\\my tools\\$x`y"z\\main.js'], true);
    expect(line).to.match(/^& "node" "C:\\my tools\\`\$x``y`"z\\main\.js"; if \(\$LASTEXITCODE -ne 0\) \{/);
    expect(line)
      .to.contain('[Console]::Error.WriteLine(')
      .and.to.match(/exit 2 \}$/);
    expect(line).not.to.contain('||');
    expect(powershellLine(['node'], false)).to.equal('& "node"; exit $LASTEXITCODE');
  });

  for (const [what, program, code, stderr] of [
    ['allows', 'exit 0', 0, ''],
    ['denies', 'echo why >&2; exit 2', 2, 'why\n'],
    ['crashes', 'exit 1', 2, 'hookline did not start, so the call is denied\n'],
    ['is killed', 'kill -9 $$', 2, 'hookline did not start, so the call is denied\n'],
  ] as const) {
    it(`deny with one text in a shell unless the command allows: it ${what}`, () => {
      const run = spawnSync('sh', ['-c', sayingLine(['sh', '-c', program])], { encoding: 'utf8' });
      expect([run.status, run.stderr.replace(/^.*Killed.*\n/m, '')]).to.deep.equal([code, stderr]);
    });
  }

  for (const [command, ours] of [
    ['node /a/dist/cli/main.js hook --as codex', true],
    [`sh -c 'node '\\''/my tools/main.js'\\'' hook --as codex || exit 2'`, true],
    [powershellLine(words, true), true],
    ['npx hookline hook --config a.yaml --as codex', true],
    ['hookline hook --as=codex', true],
    ['node main.js hook --as codexx', false],
    ['node main.js hook --as claude', false],
    ['other-hook --as codex', false],
    ['hookline run', false],
  ] as const) {
    it(`${ours ? 'recognises' : 'leaves'} ${command}`, () => {
      expect(isHookOf('codex')(command)).to.equal(ours);
    });
  }
});
