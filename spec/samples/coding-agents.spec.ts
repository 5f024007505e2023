import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { hostLimits } from '../../lib/config/reach/host-limits.ts';
import { toolFamilyNames } from '../../lib/permission-rules/action/known-tools.ts';
import { root } from '../cli/hookline.ts';
import { warmHookline as hookline } from '../cli/warm-command.ts';

const folder = join(root, 'samples/coding-agents');
const guide = readFileSync(join(folder, 'README.md'), 'utf8');

/** Returns the cells of the rows of a guide's table. */
const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

describe('the guide to coding agents', () => {
  const rows = guide
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cells);

  for (const [name, { title, families, approval, change, results, answers, gaps }] of Object.entries(hostLimits)) {
    it(`lists the limits of ${title}`, () => {
      const unseen = toolFamilyNames.filter((family) => !families.includes(family));
      const calls = unseen.length === 0 ? 'all' : `all but ${unseen.join(', ')}`;
      expect(rows).to.deep.include([title, `\`${name}\``, calls, approval, change, results, answers ?? 'none']);
    });

    it(`lists what no hook sees in ${title}`, () => {
      expect(rows).to.deep.include([title, gaps.join('; ')]);
    });
  }

  it('prints the check of its policy for Codex', async () => {
    const { code, stdout } = await hookline(['check', 'hookline.yaml', '--for', 'codex'], { cwd: folder });
    expect(code).to.equal(0);
    const printed = /```text\n([\s\S]*?)\n```/.exec(guide)?.[1];
    expect(
      stdout
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .trim(),
    ).to.equal(printed);
  });
});
