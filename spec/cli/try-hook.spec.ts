import { join } from 'node:path';
import { expect } from 'chai';
import { folder, hookline, root } from './hookline.ts';

const plugin = [process.execPath, join(root, 'samples/weather-plugin/weather-plugin.mjs')];

describe('hookline try-hook', () => {
  it('shows what a process hook is sent, what it answers, and what that means', async () => {
    const input = join(folder({ 'in.json': '{"tool":"get_weather","arguments":{"city":"Beijing"}}' }), 'in.json');
    const { code, stdout } = await hookline([
      'try-hook',
      '--protocol',
      'picoclaw',
      '--event',
      'before_tool',
      '--input',
      input,
      '--',
      ...plugin,
    ]);
    expect(code).to.equal(0);
    expect(stdout).to.include('"method":"hook.hello"').and.include('"tool":"get_weather"');
    expect(stdout).to.match(/means:\n {2}decides respond: Beijing: sunny, 15 degrees/);
    expect(stdout).to.match(/took: [\d.]+ ms/);
  });

  it('shows what a command hook means, and what has no effect', async () => {
    const blocks = await hookline([
      'try-hook',
      '--protocol',
      'claude',
      '--event',
      'PreToolUse',
      '--',
      'echo no >&2; exit 2',
    ]);
    expect([blocks.code, blocks.stdout]).to.deep.equal([0, blocks.stdout]);
    expect(blocks.stdout)
      .to.include('exit code 2')
      .and.match(/means:\n {2}blocks: no/);
    const idle = await hookline(['try-hook', '--protocol', 'claude', '--event', 'PreToolUse', '--', 'exit 1']);
    expect(idle.code).to.equal(1);
    expect(idle.stdout).to.match(/but:\n {2}exited with 1, which decides nothing.*To block, exit with 2/);
  });

  for (const [what, args, code, fault] of [
    [
      'a hook that fails',
      ['--protocol', 'picoclaw', '--event', 'before_tool', '--', 'no-such-program'],
      1,
      /failed: .*could not be started/,
    ],
    [
      'a script that is not there',
      ['--protocol', 'claude', '--event', 'PreToolUse', '--', 'sh', './gone.sh'],
      1,
      /gone\.sh does not exist/,
    ],
    [
      'an event that there is not',
      ['--protocol', 'claude', '--event', 'PreToolus', '--', 'x'],
      2,
      /Did you mean PreToolUse\?/,
    ],
    ['a protocol that there is not', ['--protocol', 'cloud', '--event', 'x', '--', 'x'], 2, /Did you mean claude\?/],
    [
      'an input that is not there',
      ['--protocol', 'claude', '--event', 'Stop', '--input', 'gone.json', '--', 'x'],
      2,
      /gone\.json" cannot be read/,
    ],
    ['no command', ['--protocol', 'claude', '--event', 'Stop'], 2, /missing required argument/],
  ] as const) {
    it(`ends with ${code} on ${what}`, async () => {
      const outcome = await hookline(['try-hook', ...args]);
      expect(outcome.code).to.equal(code);
      expect(outcome.stdout + outcome.stderr).to.match(fault);
    });
  }
});
