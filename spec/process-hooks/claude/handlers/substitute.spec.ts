import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createScene, on } from '../scene.ts';

const scene = createScene('claude-substitute');

describe('${CLAUDE_PROJECT_DIR} in a command', () => {
  for (const name of ['$(touch made)', '`touch made`', 'a"; touch made; "', "a'; touch made; '", 'a b', 'a;touch made'])
    for (const [how, handler] of [
      ['in double quotes', { command: 'printf %s "${CLAUDE_PROJECT_DIR}" > ../seen' }],
      ['in single quotes', { command: "printf %s '${CLAUDE_PROJECT_DIR}' > ../seen" }],
      ['in bash', { command: 'printf %s "${CLAUDE_PROJECT_DIR}" > ../seen', shell: 'bash' }],
      ['in a script argument', { command: 'sh', args: ['-c', 'printf %s "${CLAUDE_PROJECT_DIR}" > ../seen'] }],
      ['in an argument', { command: 'sh', args: ['-c', 'printf %s "$1" > ../seen', 'sh', '${CLAUDE_PROJECT_DIR}'] }],
    ] as const)
      it(`is data ${how}, also for a folder named ${name}`, async () => {
        const cwd = join(scene.folder, name);
        mkdirSync(cwd, { recursive: true });
        await scene.play(on({ PreToolUse: handler }), { cwd });
        expect(scene.read('seen')).to.equal(cwd);
        expect(existsSync(join(cwd, 'made'))).to.equal(false);
      });

  it('runs a script of a plugin, quoted or not, also after a comment with a quote', async () => {
    scene.script('it/run.sh', 'pwd > ran');
    const env = { CLAUDE_PLUGIN_ROOT: join(scene.folder, 'it') };
    for (const command of [
      '${CLAUDE_PLUGIN_ROOT}/run.sh',
      '"${CLAUDE_PLUGIN_ROOT}/run.sh"',
      "sh '${CLAUDE_PLUGIN_ROOT}/run.sh'",
      '# don\'t\n"${CLAUDE_PLUGIN_ROOT}/run.sh" # isn\'t',
      '"$CLAUDE_PLUGIN_ROOT"/run.sh',
    ]) {
      const { codes } = await scene.play(on({ PreToolUse: `rm -f ran\n${command}` }), { env });
      expect([command, codes]).to.deep.equal([command, []]);
      expect(scene.read('ran').trim()).to.equal(realpathSync(scene.folder));
    }
  });
});
