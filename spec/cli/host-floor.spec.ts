import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { hostFloor } from '../../lib/cli/presets/host-floor.ts';
import { loadConfig } from '../../lib/config/load-config.ts';
import { permission } from '../../lib/hooks/permission/permission.ts';
import { fakeContext } from '../hooks/fake-context.ts';
import * as sample from '../hooks/sample-events.ts';
import { growth, processorTime } from '../processor-time.ts';
import { tempFolder } from '../temp-folder.ts';

const project = tempFolder('host-floor');
const state = tempFolder('state');
const home = homedir();
for (const folder of ['.claude/hooks', '.codex', 'src']) mkdirSync(join(project, folder), { recursive: true });
writeFileSync(join(project, '.claude/settings.json'), '{}');
symlinkSync(join(project, '.claude'), join(project, 'link'));

const floor = hostFloor({
  settings: [
    join(project, '.claude/settings.json'),
    join(project, '.claude/hooks'),
    join(home, '.claude/settings.json'),
    join(project, '.codex/hooks.json'),
  ],
  config: [join(project, 'hookline.yaml')],
  variables: [join(project, '.env'), join(home, '.env')],
  state,
  tokens: join(state, 'tokens.json'),
  socket: join(state, 'daemon.sock'),
});
const hook = permission(floor['host-floor']?.options as never, { workspace: project });

/** Returns the decision about a call: `allow`, or the reason of the denial. */
function decide(name: string, input: object): string {
  const event = { ...sample.preActing, toolCall: { ...sample.preActing.toolCall, name, input: input as never } };
  const decided = hook.approve?.(event, fakeContext()) as { verdict: string; reason?: string };
  expect(decided.verdict, name).to.be.oneOf(['approved', 'denied']);
  return decided.verdict === 'approved' ? 'allow' : (decided.reason ?? '');
}

const patch = (at: string) => `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: ${at}\n+x\n*** End Patch\nEOF`;

describe('the floor of coding hosts', () => {
  for (const command of [
    'echo {} > .claude/settings.json',
    'echo {} > ./.claude/../.claude/settings.json',
    `echo {} > ${project}/.claude/settings.json`,
    'echo {} >.claude//settings.json',
    'echo {} > ~/.claude/settings.json',
    'echo {} > $HOME/.claude/settings.json',
    'echo {} > "${HOME}/.claude/settings.json"',
    'echo {} > .cla"ude/sett"ings.json',
    "echo {} > '.claude/settings.json'",
    'echo {} > .cl\\aude/settings.json',
    "echo {} > $'.cl\\x61ude/settings.json'",
    'cd .claude && echo > settings.json',
    'cd -- .claude; echo > ./settings.json',
    'pushd ".claude" && echo > settings.json',
    'cd src && echo > ../.claude/settings.json',
    'cd "$D" && echo > settings.json',
    'cd src; cd ../.claude; rm settings.json',
    '(cd .claude && rm -f settings.json)',
    'D=.claude; echo > $D/settings.json',
    'echo > $(echo .claude)/settings.json',
    'F=settings; echo > .claude/$F.json',
    'echo > $UNKNOWN/settings.json',
    'echo > .claude/settings.jso?',
    'echo > .claude/{x,settings}.json',
    'rm .claude/*',
    'rm -rf .claude/s*',
    "sed -i 's/a/b/' .claude/settings.json",
    'sed -i.bak s/a/b/ .claude/settings.json',
    'echo {} | tee .claude/settings.json',
    'echo {} | tee -a x .claude/settings.json',
    'cp evil.json .claude/settings.json',
    'cp evil/settings.json .claude/',
    'cp evil/settings.json .claude',
    'cp -t .claude evil/settings.json',
    'cp -r evil/. .claude',
    'cp -r evil/* .claude/',
    'install -m 644 evil .claude/settings.json',
    'dd if=evil of=.claude/settings.json',
    'curl -o.claude/settings.json http://a.example',
    'curl http://a.example -o .claude/settings.json',
    'ln -sf /tmp/evil .claude/settings.json',
    'ln -s .claude x && echo > x/settings.json',
    'echo > link/settings.json',
    'cd link && echo > settings.json',
    'mv .claude old',
    'mv .claude/settings.json old',
    'rm -rf .claude',
    'rm -rf .cl*',
    'rm -rf .',
    'sudo rm -rf .claude',
    "bash -c 'rm -rf .claude'",
    'chmod 000 .claude/settings.json',
    'chmod 000 .claude',
    'truncate -s0 .codex/hooks.json',
    'touch .codex/hooks.json',
    patch('.claude/settings.json'),
    patch('link/settings.json'),
    `cat > .claude/settings.json <<EOF\n{}\nEOF`,
    "node -e \"fs.writeFileSync('.claude/settings.json', '{}')\"",
    'python3 -c \'open(".claude" "/settings.json", "w")\'',
    "perl -pi -e 's/a/b/' .claude/settings.json",
    'find . -name settings.json -delete',
    "find .claude -name 'sett*' -exec rm {} +",
    'ls .claude | xargs -I{} rm .claude/{}',
    "node -e \"fs.rmSync(path.join('.claude', 'settings.json'))\"",
    'for f in settings; do rm .claude/$f.json; done',
    'echo > .claude/$X',
    'cd .claude && rm *',
    'cd .claude\nrm -- *',
    'rm *',
    'rm -rf ./*',
    'rm -rf `pwd`/.claude',
    'cp -r evil/.claude .',
    'mv evil/.claude ./',
    'echo .claude | xargs rm -rf',
    'ls -d .claude | xargs -n1 rm -rf',
    'rm -rf ../*',
    'rm -rf ../host-flo*',
    'rm -rf .[a-z]*',
    'cd; rm -rf .claude',
    'cd - && rm -rf .claude',
    'cd a; cd b; cd c; cd d; cd e; cd f; cd .claude; echo > settings.json',
    'mkdir "a b"; cd "a b"; cd "../.claude"; rm x settings.json',
    'A=.cla; B=ude; rm -rf $A$B',
    'find . -delete',
    'find . -type f -exec rm {} +',
    'git mv .claude x',
    'git rm -r --cached .claude',
    'git -C . mv .claude x',
    'git clean -fdx .claude',
    'git restore .claude',
    'git checkout main -- .claude/settings.json',
    'git -C .claude rm settings.json',
    'echo x > .claude/hooks/new.sh',
    'echo > hookline.yaml',
    'git mv hookline.yaml x',
    'sed -i s/deny/allow/ hookline.yaml',
    `rm -rf ${state}`,
    `cat ${state}/tokens.json`,
    `nc -U ${state}/daemon.sock`,
    'echo NODE_OPTIONS=--require=./evil.cjs >> .env',
    'cd src && echo "BASH_ENV=./evil.sh" | tee ../.env',
    "sed -i '1i LD_PRELOAD=./evil.so' ~/.env",
    'export HOOKLINE_STATE=/tmp/x',
    'HOOKLINE_STATE=/tmp/x ls',
    'env HOOKLINE_STATE=/tmp/x ls',
    'unset HOOKLINE_STATE',
    'export HOOK""LINE_STATE=x',
    'echo $HOOKLINE_TOKEN',
  ])
    it(`denies ${JSON.stringify(command.replaceAll(project, 'P').replaceAll(state, 'S'))}`, () => {
      expect(decide('run_command', { command })).to.match(/Hookline/);
    });

  it('denies them in a project whose path has blanks', () => {
    const at = join(tempFolder('blanks'), 'my project');
    mkdirSync(join(at, '.claude'), { recursive: true });
    const entries = hostFloor({ settings: [join(at, '.claude/settings.json')], config: [], state });
    const own = permission(entries['host-floor']?.options as never, { workspace: project });
    for (const command of [
      `cd "${at}/.claude" && rm settings.json`,
      `rm -rf '${at}'`,
      `rm "${at}/.claude/settings.json"`,
    ]) {
      const toolCall = { ...sample.preActing.toolCall, name: 'run_command', input: { command } };
      expect(own.approve?.({ ...sample.preActing, toolCall }, fakeContext()), command).to.include({
        verdict: 'denied',
      });
    }
  });

  for (const command of [
    'Set-Content .claude\\settings.json {}',
    'Remove-Item -Recurse .claude',
    'Set-Location .claude; Set-Content settings.json x',
    'Set-Content "$env:USERPROFILE\\.claude\\settings.json" x',
    'Set-Content .cl`aude\\settings.json x',
    '$env:HOOKLINE_STATE = "x"',
  ])
    it(`denies ${JSON.stringify(command)} in PowerShell`, () => {
      expect(decide('PowerShell', { command })).to.match(/Hookline/);
    });

  for (const [name, input] of [
    ['write_file', { path: '.claude/settings.json', content: '' }],
    ['write_file', { path: 'link/settings.json', content: '' }],
    ['Edit', { file_path: `${project}/src/../hookline.yaml`, old_string: 'a', new_string: 'b' }],
    ['Edit', { file_path: '~/.claude/settings.json', old_string: 'a', new_string: 'b' }],
    ['delete_file', { path: '.codex/hooks.json' }],
    ['apply_patch', { command: '*** Begin Patch\n*** Delete File: .codex/hooks.json\n*** End Patch' }],
    ['mcp__files__write', { path: '.claude/settings.json', text: '' }],
    ['write_file', { path: '.env', content: 'A=1\nNODE_OPTIONS=--require ./evil.cjs\n' }],
    ['Edit', { file_path: `${project}/.env`, old_string: 'A', new_string: 'HOOKLINE_X=1\nA' }],
    ['apply_patch', { command: '*** Begin Patch\n*** Add File: .env\n+BASH_ENV=./evil.sh\n*** End Patch' }],
    ['mcp__files__write', { path: '.env', text: 'export GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/x' }],
    ['mcp__files__move', { args: ['x', 'hookline.yaml'] }],
    ['mcp__files__move_file', { source: `${project}/.claude`, destination: `${project}/x` }],
    ['mcp__files__rename', { from: '.codex', to: 'x' }],
    ['mcp__files__deleteDirectory', { path: '.claude/' }],
    ['mcp__files__symlink', { target: '/tmp/x', path: '.codex' }],
    ['remove_folder', { path: '.claude' }],
    ['delete_file', { path: '.codex' }],
    ['save_note', { target: `file://${project}/hookline.yaml` }],
    ['read_file', { path: `${state}/tokens.json` }],
    ['search_text', { pattern: 'a', path: state }],
    ['read_many_files', { paths: [`${state}/*.json`] }],
  ] as const)
    it(`denies ${name} ${JSON.stringify(input).replaceAll(project, 'P').replaceAll(state, 'S')}`, () => {
      expect(decide(name, input)).to.match(/Hookline/);
    });

  it('denies calls of known tools that cannot be read', () => {
    for (const [name, input] of [
      ['run_command', {}],
      ['write_file', { content: 'x' }],
      ['apply_patch', { command: 'x' }],
      ['read_many_files', { paths: [] }],
    ] as const)
      expect(decide(name, input), name).to.match(/cannot be read/);
  });

  for (const [name, input] of [
    ...[
      'npm test',
      'ls -la',
      'ls .claude',
      'git status && git diff',
      'git commit -m "x: change settings"',
      'rm -rf dist',
      'cp -r a/* src/',
      'cp a.txt .',
      'mv a.txt .',
      'cat src/settings.json',
      'cd src && cat settings.json',
      'cat package.json | grep hookline',
      'npx hookline doctor',
      'chmod +x src/a.sh',
      'find src -name "*.ts"',
      'find . -name "*.log" -delete',
      'find . -type f | head',
      'ls *',
      'echo DATABASE_URL=x >> .env',
      'NODE_OPTIONS=--max-old-space-size=4096 npm test',
      'ls src | xargs rm -f',
      'cp -r ../other/src .',
      'rm src/*',
      'for f in *.log; do rm "$f"; done',
      'git checkout main',
      'git add .',
      'git mv src/a src/b',
      'for f in src/*.ts; do echo "$f"; done',
      'grep -rn "settings" src',
      'node -e "console.log(1)"',
      'for f in *.ts; do node ./$f; done',
      `cat > src/a.md <<'EOF'\nUse the settings.\nEOF`,
      patch('src/a.ts'),
    ].map((command) => ['run_command', { command }] as const),
    ['write_file', { path: 'src/a', content: 'see .claude/settings.json' }],
    ['read_file', { path: '.claude/settings.json' }],
    ['read_file', { path: 'hookline.yaml' }],
    ['write_file', { path: '.env', content: 'DATABASE_URL=x' }],
    ['write_file', { path: 'src/.env.md', content: 'NODE_OPTIONS' }],
    ['search_text', { pattern: 'x' }],
    ['list_files', { path: '.claude' }],
    ['WebFetch', { url: 'https://a.example' }],
    ['Agent', { prompt: 'Read .claude/settings.json' }],
    ['mcp__github__create_issue', { title: 'x', body: '.claude/settings.json' }],
    ['update_plan', { plan: ['x'] }],
    ['mcp__files__list_directory', { path: '.claude' }],
    ['mcp__files__move_file', { source: 'src/a', destination: project }],
    ['mcp__files__move_file', { source: 'src/.claude', destination: 'src/x' }],
  ] as const)
    it(`leaves ${name} ${JSON.stringify(input)} to the policy`, () => {
      expect(decide(name, input)).to.equal('allow');
    });

  it('judges long commands in linear time', () => {
    const words = (count: number) => Array.from({ length: count }, (_, nth) => `word${nth}/a`).join(' ');
    const marks = (count: number) => `${'$'.repeat(count)} ${'{'.repeat(count)}${' '.repeat(count)}`;
    for (const [commandOf, verdict] of [
      [(count: number) => `echo ${words(count)}`, /^allow$/],
      [(count: number) => `echo ${words(count)} > .claude/settings.json`, /Hookline/],
      [(count: number) => `echo ${marks(3 * count)}`, /./],
    ] as const) {
      const cost = (count: number): number => {
        const command = commandOf(count);
        return processorTime(() => expect(decide('run_command', { command })).to.match(verdict), 1);
      };
      // Quadratic time would be a factor of 64.
      expect(
        growth(
          () => cost(2_500),
          () => cost(20_000),
          20,
        ),
        commandOf(2),
      ).to.be.below(20);
    }
  });

  it('stands next to a policy, which can neither change it nor is taken for it', () => {
    const file = join(tempFolder('policy'), 'hookline.json');
    const load = (hooks: object) => {
      writeFileSync(file, JSON.stringify({ hooks }));
      return loadConfig([file], { floor });
    };
    const { issues, notices } = load({
      mine: { type: 'permission', options: { deny: ['Edit(a)'], default: 'allow' } },
    });
    expect([...issues, ...notices]).to.deep.equal([]);
    const off = load({ 'host-floor': { enabled: false } });
    expect(off.notices.map(({ message }) => message).join()).to.match(/always on/);
    expect(off.config.hooks.map(({ entry }) => entry.enabled)).to.not.include(false);
  });

  it('says what is protected, and why', () => {
    expect(decide('write_file', { path: '.claude/settings.json', content: '' })).to.equal(
      'it names the hook settings of the agent; only a person may change them, because they start Hookline.',
    );
  });
});
