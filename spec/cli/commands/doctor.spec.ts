import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { dialectNames } from '../../../lib/cli/host-hook/dialects/dialect-names.ts';
import { command, folder, fromSource, root } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const RULES = 'hooks:\n  p: { type: permission, options: { default: allow, deny: ["run_command(rm:*)"] } }\n';
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const SIMPLE = `
const event = require('node:fs').readFileSync(0, 'utf8');
if (/\\/\\.(?:codex|claude|gemini|codeium)\\//.test(event)) { console.error('denied'); process.exitCode = 2; }
`;

interface Report {
  readonly host: string;
  readonly hooks: readonly { scope: string; file: string; version?: string; trusted?: unknown; ms?: number }[];
  readonly problems: readonly string[];
}

/** A temporary home without other hosts on the PATH, and a project. */
function bed(files: Readonly<Record<string, string>> = {}) {
  const home = folder(files);
  const project = folder({ 'hookline.yaml': RULES });
  const PATH = `${dirname(process.execPath)}:/bin:/usr/bin`;
  // Without a build, the installed command is TypeScript.
  const NODE_OPTIONS = command === fromSource ? fromSource.slice(1, -1).join(' ') : '';
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: '',
    CODEX_HOME: '',
    CLAUDE_CONFIG_DIR: '',
    COPILOT_HOME: '',
    PATH,
    NODE_OPTIONS,
  };
  const run = (...words: string[]) => hookline(words, { cwd: project, env });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  const change = (path: string, edit: (text: string) => string) =>
    writeFileSync(join(home, path), edit(readFileSync(join(home, path), 'utf8')));
  return {
    home,
    run,
    install: (...words: string[]) => run('hook', '--config', 'hookline.yaml', '--install', '--write', ...words),
    async examine(host: string): Promise<{ code: number | null; report: Report }> {
      const { code, stdout, stderr } = await run('doctor', '--json');
      const report = JSON.parse(stdout || '{}').hosts?.find((one: Report) => one.host === host);
      expect(report, stderr).to.be.an('object');
      return { code, report };
    },
    write,
    change,
    /** Replaces the installed command by one that starts faster, and denies only what writes into a folder of settings. */
    simplify(path: string) {
      write('simple/package.json', JSON.stringify({ name: 'hookline', version }));
      write('simple/main.js', SIMPLE);
      change(path, (text) => text.replaceAll(/\/\S*?main\.[jt]s/g, join(home, 'simple/main.js')));
    },
  };
}

describe('hookline doctor', () => {
  // The others share their way from the settings to the command.
  for (const host of process.env['HOOKLINE_SOAK'] ? dialectNames : (['codex', 'opencode'] as const)) {
    it(`runs the installed hook of ${host}: a call passes, and one that must be denied is denied`, async () => {
      const { install, examine, write, home } = bed();
      await install('--as', host);
      if (host === 'codex') {
        const key = `${join(home, '.codex/hooks.json')}:pre_tool_use:0:0`;
        write('.codex/config.toml', `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "sha256:aa"\n`);
      }
      const { code, report } = await examine(host);
      expect([code, report.problems]).to.deep.equal([0, []]);
      const [hook] = report.hooks;
      expect([report.hooks.length, hook?.scope, hook?.version]).to.deep.equal([1, 'user', hook?.version]);
      expect(hook?.version).to.match(/^\d/);
      expect(hook?.ms).to.be.greaterThan(0);
      expect(hook?.trusted).to.equal(host === 'codex' ? true : undefined);
    });
  }

  it('finds a host without a hook', async () => {
    const { run } = bed({ '.cursor/x': '' });
    const { code, stdout } = await run('doctor');
    expect([code, stdout]).to.deep.equal([
      1,
      'Cursor: not guarded\n  problem: No hook is installed. Run: hookline hook --as cursor --config hookline.yaml --install --write\n',
    ]);
    const none = await bed().run('doctor');
    expect([none.code, none.stdout]).to.deep.equal([0, 'There is no host on this machine.\n']);
  });

  it('finds a hook of Codex that nobody trusted', async () => {
    const { install, examine, write, simplify } = bed();
    await install('--as', 'codex');
    simplify('.codex/hooks.json');
    const { code, report } = await examine('codex');
    expect([code, report.hooks[0]?.trusted, report.problems.length]).to.deep.equal([1, false, 1]);
    expect(report.problems[0]).to.contain('Run /hooks in Codex');
    write('.codex/config.toml', 'broken = ');
    expect((await examine('codex')).report.hooks[0]?.trusted).to.equal('unknown');
    write('.codex/config.toml', '[features]\nhooks = false\n');
    expect((await examine('codex')).report.problems[0]).to.contain('hooks = false');
  });

  for (const [what, change, said] of [
    [
      'was removed',
      (text: string) => text.replaceAll(/\/\S*?main\.[jt]s/g, '/gone/main.js'),
      '/gone/main.js does not exist',
    ],
    [
      'allows everything',
      (text: string) => text.replaceAll(/"command": "[^"]*"/g, '"command": "true # hookline hook --as windsurf"'),
      'allowed a call that it must deny',
    ],
    [
      'crashes',
      (text: string) => text.replaceAll(/"command": "[^"]*"/g, '"command": "exit 1; hookline hook --as windsurf"'),
      'exit code 1, no text',
    ],
    ['has a faulty configuration', (text: string) => text.replaceAll('hookline.yaml', 'none.yaml'), 'none.yaml'],
  ] as const) {
    it(`finds a hook that ${what}`, async () => {
      const { install, examine, change: edit } = bed();
      await install('--as', 'windsurf');
      edit('.codeium/windsurf/hooks.json', change);
      const { code, report } = await examine('windsurf');
      expect([code, report.problems.join('\n').includes(said)], report.problems.join('\n')).to.deep.equal([1, true]);
    });
  }

  it('runs a command of the project only with --project', async () => {
    const { install, run, write } = bed();
    await install('--as', 'windsurf', '--project');
    write('.codeium/windsurf/x', '');
    const { code, stdout } = await run('doctor');
    expect([code, stdout.includes('was not run. If you trust the project, add --project.')]).to.deep.equal([1, true]);
    const tested = await run('doctor', '--project');
    expect([tested.code, tested.stdout.includes('installed (project)')], tested.stdout).to.deep.equal([0, true]);
  });

  it('finds a hook of another version', async () => {
    const { install, examine, change: edit, write, home } = bed();
    await install('--as', 'claude');
    write('old/package.json', '{"name":"hookline","version":"0.0.1"}');
    write('old/main.js', `import(${JSON.stringify('x')}).catch(() => {}); process.exitCode = 0;`);
    edit('.claude/settings.json', (text) => text.replaceAll(/\/\S*?main\.[jt]s/g, join(home, 'old/main.js')));
    const { report } = await examine('claude');
    expect(report.problems.join('\n')).to.contain('of version 0.0.1').and.to.contain('allowed a call');
  });

  it('finds hooks that settings switch off', async () => {
    const { install, examine, change: edit, simplify } = bed();
    await install('--as', 'claude');
    simplify('.claude/settings.json');
    edit('.claude/settings.json', (text) => text.replace('{', '{ "disableAllHooks": true,'));
    expect((await examine('claude')).report.problems[0]).to.contain('disableAllHooks');
  });

  it('reads settings of Gemini CLI with comments, as Gemini CLI does', async () => {
    const { install, change: edit, examine, simplify } = bed();
    await install('--as', 'gemini');
    simplify('.gemini/settings.json');
    edit('.gemini/settings.json', (text) => `// mine\n${text.replace('{', '{ "ui": {}, /* theirs */')}`);
    const { code, report } = await examine('gemini');
    expect([code, report.problems, report.hooks.length]).to.deep.equal([0, [], 1]);
    edit('.gemini/settings.json', (text) => text.replace('{', '{ "hooksConfig": { "enabled": false },'));
    expect((await examine('gemini')).report.problems.join()).to.contain('hooksConfig');
  });

  it('measures a call as later ones are, not the ones that start a daemon', async () => {
    const { install, home, change: edit, examine, simplify } = bed();
    await install('--as', 'windsurf');
    simplify('.codeium/windsurf/hooks.json');
    const calls = join(home, 'calls');
    const slow = `printf x >> ${calls}; [ $(wc -c < ${calls}) -gt 2 ] || sleep 6; `;
    edit('.codeium/windsurf/hooks.json', (text) => text.replaceAll('"command": "', `"command": "${slow}`));
    expect((await examine('windsurf')).report.hooks[0]?.ms).to.be.below(6_000);
  });

  it('reports settings that are broken', async () => {
    const { examine } = bed({ '.gemini/settings.json': '{ "hooks": ' });
    const { code, report } = await examine('gemini');
    expect([code, report.problems[0]?.includes('is not valid JSON')]).to.deep.equal([1, true]);
  });
});
