import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { tempFolder } from '../../../temp-folder.ts';
import { folder } from '../../hookline.ts';
import { warmHookline as hookline } from '../../warm-command.ts';

const RULES = 'hooks:\n  p: { type: permission, options: { default: allow, deny: ["run_command(rm:*)"] } }\n';

/** A temporary home, and a project with a configuration. */
function bed(files: Readonly<Record<string, string>> = {}) {
  const home = folder(files);
  const project = folder({ 'hookline.yaml': RULES });
  const env = {
    ...{
      HOME: home,
      XDG_CONFIG_HOME: '',
      CODEX_HOME: '',
      CLAUDE_CONFIG_DIR: '',
      COPILOT_HOME: '',
      PATH: process.env['PATH'],
    },
  };
  return {
    home,
    project,
    hook: (...words: string[]) => hookline(['hook', ...words], { cwd: project, env }),
    install: (...words: string[]) =>
      hookline(['hook', '--config', 'hookline.yaml', '--install', ...words], { cwd: project, env }),
    read: (path: string) => readFileSync(join(home, path), 'utf8'),
    json: (path: string) => JSON.parse(readFileSync(join(home, path), 'utf8')),
  };
}

const places = {
  claude: ['.claude/settings.json', '.claude/settings.local.json'],
  codex: ['.codex/hooks.json', '.codex/hooks.json'],
  cursor: ['.cursor/hooks.json', '.cursor/hooks.json'],
  gemini: ['.gemini/settings.json', '.gemini/settings.json'],
  copilot: ['.copilot/hooks/hookline.json', '.github/hooks/hookline.json'],
  opencode: ['.config/opencode/plugins/hookline.js', '.opencode/plugins/hookline.js'],
  windsurf: ['.codeium/windsurf/hooks.json', '.windsurf/hooks.json'],
  kiro: ['.kiro/hooks/hookline.json', '.kiro/hooks/hookline.json'],
} as const;

describe('hookline hook --install', () => {
  // The others have the same form of settings as one of these.
  const usual = ['claude', 'codex', 'cursor', 'opencode'];
  for (const [host, [user, own]] of Object.entries(places)) {
    if (!usual.includes(host) && !process.env['HOOKLINE_SOAK']) continue;
    it(`shows, writes and removes the hooks of ${host}, and changes nothing twice`, async () => {
      const { home, install, hook, read } = bed();
      const shown = await install('--as', host);
      expect([shown.code, existsSync(join(home, user))], shown.stderr).to.deep.equal([0, false]);
      expect(shown.stdout)
        .to.contain(join(home, user))
        .and.to.contain(`--as ${host}`.replace(' ', host === 'opencode' ? '","' : ' '));
      expect(shown.stdout).to.contain('add --write').and.to.contain('By hand:');
      const written = await install('--as', host, '--write');
      expect([written.code, written.stdout.includes('Written.')], written.stderr).to.deep.equal([0, true]);
      expect(statSync(join(home, user)).mode & 0o777).to.equal(0o600);
      const text = read(user);
      const again = await install('--as', host, '--write');
      expect(again.stdout).to.contain('It already has these hooks.');
      expect([read(user), readdirSync(dirname(join(home, user))).length]).to.deep.equal([text, 1]);
      const removed = await hook('--as', host, '--uninstall', '--write');
      expect([removed.code, existsSync(join(home, user))], removed.stdout).to.deep.equal([0, false]);
      const none = await hook('--as', host, '--uninstall', '--write');
      expect(none.stdout).to.contain('No hooks of hookline are in it.');
    });

    it(`writes the settings of a project for ${host}`, async () => {
      const { home, project, install } = bed();
      const { code, stdout } = await install('--as', host, '--project', '--write');
      expect([code, existsSync(join(home, user)), existsSync(join(project, own))]).to.deep.equal([0, false, true]);
      expect(stdout).to.contain('do not commit this file');
    });
  }

  it('keeps everything else of the settings, and replaces an older hook of ours in its place', async () => {
    const other = { matcher: 'Bash', hooks: [{ type: 'command', command: 'other' }] };
    const older = {
      matcher: '*',
      hooks: [{ type: 'command', command: 'node /gone/dist/cli/main.js hook --as codex' }],
    };
    const mixed = { hooks: [...older.hooks, { type: 'command', command: 'mixed' }] };
    const before = `{\n    "description": "mine",\n    "hooks": ${JSON.stringify({ PreToolUse: [older, other], Stop: [mixed], PreCompact: [older, other] })}\n}\n`;
    const { install, hook, json, read, home } = bed({ '.codex/hooks.json': before });
    chmodSync(join(home, '.codex/hooks.json'), 0o640);
    const { stdout } = await install('--as', 'codex', '--write');
    const { description, hooks } = json('.codex/hooks.json');
    expect([description, hooks.PreToolUse.length, hooks.PreToolUse[1]]).to.deep.equal(['mine', 2, other]);
    expect(hooks.PreToolUse[0].hooks[0].command).to.match(/main\.[jt]s hook --as codex --config/);
    expect(hooks.Stop[0]).to.deep.equal({ hooks: [{ type: 'command', command: 'mixed' }] });
    expect([hooks.Stop.length, hooks.PreCompact]).to.deep.equal([2, [other]]);
    expect(stdout).to.contain('+ ').and.to.contain('- ').and.to.contain('Run /hooks in Codex');
    expect(read('.codex/hooks.json')).to.match(/^ {4}"description": "mine"/m);
    expect(read('.codex/hooks.json.bak')).to.equal(before);
    expect(statSync(join(home, '.codex/hooks.json.bak')).mode & 0o777).to.equal(0o600);
    expect(statSync(join(home, '.codex/hooks.json')).mode & 0o777).to.equal(0o640);
    await hook('--as', 'codex', '--uninstall', '--write');
    expect(json('.codex/hooks.json')).to.deep.equal({
      description: 'mine',
      hooks: { PreToolUse: [other], Stop: [{ hooks: [{ type: 'command', command: 'mixed' }] }], PreCompact: [other] },
    });
  });

  it('hides secrets of other settings in the diff', async () => {
    const secret = `sk-ant-api03-${'a1B2'.repeat(20)}`;
    const { install } = bed({ '.gemini/settings.json': `{\n  "key": "${secret}"\n}\n` });
    const { stdout } = await install('--as', 'gemini');
    expect(stdout).to.contain('"key"').and.not.to.contain(secret);
  });

  it('says that the configuration of the folder is not used without --config', async () => {
    const { hook, install } = bed();
    expect((await hook('--as', 'codex', '--install')).stderr).to.contain('add --config hookline.yaml');
    expect((await install('--as', 'codex')).stderr).to.not.contain('--config');
  });

  it('finds the hosts of this machine', async () => {
    const { install, home, json } = bed({ '.codex/config.toml': '', '.cursor/x': '' });
    const { code, stdout } = await install('--write');
    expect(code).to.equal(0);
    expect(stdout).to.contain('Codex: ').and.to.contain('Cursor: ');
    expect(json('.cursor/hooks.json').hooks.preToolUse[0].failClosed).to.equal(true);
    expect(existsSync(join(home, '.codex/hooks.json'))).to.equal(true);
    expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).to.equal('');
    expect(existsSync(join(home, '.kiro'))).to.equal(false);
  });

  for (const [what, text, said] of [
    ['comments', '{ // mine\n}', 'has comments'],
    ['broken JSON', '{ "hooks": ', 'is not valid JSON'],
    ['a list', '[]', 'must be a JSON object'],
    ['hooks of another shape', '{"hooks":[]}', '"hooks" must be an object'],
    ['an event of another shape', '{"hooks":{"PreToolUse":{}}}', 'hooks.PreToolUse must be a list'],
    ['a repeated key', '{"hooks":{},"hooks":{}}', 'repeats a key'],
  ] as const) {
    it(`writes nothing for settings with ${what}`, async () => {
      const { install, read, home } = bed({ '.codex/hooks.json': text, '.cursor/x': '' });
      const { code, stdout, stderr } = await install('--write');
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.contain(said).and.to.contain('.codex/hooks.json');
      expect(stderr).to.contain(
        'No settings were changed, also not those of Cursor. To leave Codex out, name one host with --as.',
      );
      expect([read('.codex/hooks.json'), existsSync(join(home, '.cursor/hooks.json'))]).to.deep.equal([text, false]);
      if (what === 'comments') expect(stderr).to.contain('"PreToolUse"').and.to.contain('--as codex');
    });
  }

  it('removes nothing from settings with comments', async () => {
    const { hook, read } = bed({ '.codex/hooks.json': '{ // mine\n}' });
    const { code, stderr } = await hook('--as', 'codex', '--uninstall', '--write');
    expect([code, stderr.includes('Remove the hooks by hand.')], stderr).to.deep.equal([2, true]);
    expect(read('.codex/hooks.json')).to.equal('{ // mine\n}');
  });

  it('writes through no link, and into no folder that is not one', async () => {
    const { install, home, project } = bed({ 'dotfiles/hooks.json': '{}', '.gemini': 'a file' });
    mkdirSync(join(home, '.codex'));
    symlinkSync(join(home, 'dotfiles/hooks.json'), join(home, '.codex/hooks.json'));
    const linked = await install('--as', 'codex', '--write');
    expect([linked.code, linked.stderr.includes('is a link to')]).to.deep.equal([2, true]);
    const file = await install('--as', 'gemini', '--write');
    expect([file.code, file.stdout]).to.deep.equal([2, '']);
    symlinkSync(home, join(project, '.cursor'));
    const out = await install('--as', 'cursor', '--project', '--write');
    expect([out.code, out.stderr.includes('is a link out of the project')]).to.deep.equal([2, true]);
    expect(existsSync(join(home, 'hooks.json'))).to.equal(false);
  });

  it('does not replace a file of somebody else', async () => {
    const { install } = bed({ '.config/opencode/plugins/hookline.js': 'export const a = 1;\n' });
    const { code, stderr } = await install('--as', 'opencode', '--write');
    expect([code, stderr.includes('is not a file of hookline')]).to.deep.equal([2, true]);
  });

  for (const [words, said] of [
    [['--write'], '--as is required'],
    [['--as', 'codex', '--install', '--uninstall'], 'exclude each other'],
    [['--as', 'picoclaw', '--install', '--write'], 'only prints its settings'],
  ] as const) {
    it(`rejects ${words.join(' ')}`, async () => {
      const { code, stderr } = await bed().hook(...words);
      expect([code, stderr.includes(said)], stderr).to.deep.equal([2, true]);
    });
  }
});

describe('the installed command', () => {
  for (const [host, event, field] of [
    ['codex', 'PreToolUse', 'command'],
    ['gemini', 'BeforeTool', 'command'],
    ['copilot', 'PreToolUse', 'bash'],
    ['windsurf', 'pre_run_command', 'command'],
  ] as const) {
    it(`denies with a text in ${host} if it does not start`, async () => {
      const { install, json } = bed();
      await install('--as', host, '--write');
      const [entry] = json(places[host][0]).hooks[event];
      const line: string = (entry.hooks?.[0] ?? entry)[field];
      const gone = line.replace(/node \S+/, 'node /gone/main.js').replaceAll('node ', 'no-such-program ');
      const { status, stderr } = spawnSync('bash', ['-c', gone], { encoding: 'utf8', cwd: tempFolder('elsewhere') });
      expect([status, stderr.includes('hookline did not start')], stderr).to.deep.equal([2, true]);
    });
  }
});
