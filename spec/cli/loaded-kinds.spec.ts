import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { isBuilt } from '../is-built.ts';
import { environment, folder, root } from './hookline.ts';

const LIST = `process.on('exit', () => {
  const own = Object.keys(require.cache).filter((file) => file.startsWith(process.env.OF));
  require('node:fs').writeFileSync(process.env.TO + (process.argv.includes('--worker') ? '.worker' : ''), JSON.stringify(own));
});`;

const EVENT = {
  session_id: 's1',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_use_id: 't1',
  tool_input: { command: 'ls' },
};

/** The kinds whose modules the built command loads. Each module contains the description of its kind. */
function kindsLoadedBy(...args: readonly string[]): readonly string[] {
  const at = folder({ 'list.cjs': LIST });
  const of = join(root, 'dist');
  const to = join(at, 'loaded.json');
  const env = environment({ OF: of, TO: to });
  execFileSync(process.execPath, ['-r', join(at, 'list.cjs'), join(of, 'cli/main.js'), ...args], { cwd: at, env });
  const loaded = (JSON.parse(readFileSync(to, 'utf8')) as string[]).map((file) => readFileSync(file, 'utf8'));
  return builtIns.flatMap(({ name, description }) => (loaded.some((text) => text.includes(description)) ? name : []));
}

describe('modules of built-in kinds', () => {
  before(function () {
    if (isBuilt()) return;
    console.log('      skipped: the command is not built, and each module of the source is a file of its own');
    this.skip();
  });

  it('are loaded only for the kinds that a file names, and those that are always on', () => {
    const config = join(
      folder({
        'hookline.yaml': 'hooks: { budget: { type: budget, options: { limits: [{ of: steps, max: 9 }] } } }\n',
      }),
      'hookline.yaml',
    );
    expect(kindsLoadedBy('check', config)).to.deep.equal(['audit-log', 'budget', 'dangerous-confirmation']);
    expect(kindsLoadedBy('check', config, '--preset', 'none')).to.deep.equal(['budget']);
  });

  it('are loaded for a call of another host without the option parser, pino and what only other files and commands need', () => {
    const at = folder({ 'list.cjs': LIST });
    const to = join(at, 'loaded.json');
    // Its worker has the same arguments.
    const args = [
      '-r',
      join(at, 'list.cjs'),
      join(root, 'dist/cli/main.js'),
      'hook',
      '--as',
      'codex',
      '--preset',
      'safe',
    ];
    const { stdout } = spawnSync(process.execPath, args, {
      cwd: at,
      env: environment({ OF: root, TO: to }),
      input: JSON.stringify({ ...EVENT, cwd: at }),
      encoding: 'utf8',
    });
    expect(stdout).to.include('"permissionDecision":"deny"');
    const [front, loaded] = ['', '.worker'].map((end) =>
      (JSON.parse(readFileSync(to + end, 'utf8')) as string[]).map((file) => file.slice(root.length + 1)),
    ) as [string[], string[]];
    expect(front.filter((file) => !/^dist\/(?:chunks|cli)\//.test(file))).to.deep.equal([]);
    const needless =
      /^node_modules\/(?:commander|pino|yaml|smol-toml)\/|^dist\/chunks\/process-hooks|install|picoclaw|daemon\/serve/;
    expect(loaded.filter((file) => needless.test(file))).to.deep.equal([]);
    expect(loaded).to.include('dist/chunks/permission-entry.js');
  });

  it('are all loaded for what names each kind', () => {
    expect(kindsLoadedBy('list')).to.deep.equal(builtIns.map(({ name }) => name));
  });
});
