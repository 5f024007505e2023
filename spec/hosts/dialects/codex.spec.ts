import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { orPending } from '../bed/host-program.ts';
import { type HostEnd, type HostRun, runHost } from '../bed/run-host.ts';
import { call, type Turn } from '../bed/turn.ts';
import { codexResult } from '../facts/codex-result.ts';
import { holdsInEveryHost } from './every-host.ts';
import { command, hooksOn, killDaemon, made, project, SECRET, TIMEOUT_S } from './policy.ts';

const EVENTS = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop'];
const shell = (cmd: string) => call('exec_command', { cmd });
const patch = (file: string) => `*** Begin Patch\n*** Update File: ${file}\n@@\n-one\n+two\n*** End Patch`;
const mcp = { files: [process.execPath, join(__dirname, '../bed/mcp-server.mjs')] };
const touch = { calls: [{ name: 'touch', namespace: 'mcp__files', input: { path: 'made-by-mcp' } }] };

/** A daemon judges the calls of a run faster than a process for each of them. */
const DAEMON = ['--daemon', '--idle', '5'];

const codex = (context: Context, words: readonly string[], run: Omit<HostRun, 'host' | 'hooks' | 'files'>) =>
  orPending(
    context,
    runHost({ host: 'codex', hooks: hooksOn(EVENTS, command('codex', ...words)), files: project, ...run }),
  );

let wasAlive = false;

const TURNS = {
  allowed: shell('touch allowed'),
  denied: shell('touch denied'),
  asked: shell('touch asked'),
  rewritten: shell('touch rewritten'),
  read: shell('cat private/a.txt'),
  secret: shell('cat secret.txt'),
  mcp: touch,
  killed: shell('touch killed'),
  floor: shell('echo {} > "$CODEX_HOME/hooks.json"; touch floor'),
  own: shell('echo {} > policy/hookline.yaml; touch own'),
  crashes: shell('touch crashes'),
  waits: shell('touch waits'),
  beforeKill: shell('touch before-kill'),
  afterKill: (_: unknown, bed: string): Turn => {
    wasAlive = killDaemon(bed);
    return shell('touch denied-after-kill');
  },
  after: shell('touch after'),
};

describe('Codex under hookline hook --as codex', () => {
  describe('with a policy', () => {
    let end: HostEnd;
    before(async function () {
      const words = ['--config', 'policy/hookline.yaml', '--timeout', TIMEOUT_S, ...DAEMON];
      end = await codex(this, words, { mcp, turns: Object.values(TURNS) });
    });
    const told = (name: keyof typeof TURNS) => codexResult(end.requests[Object.keys(TURNS).indexOf(name) + 1]?.body);

    holdsInEveryHost({
      end: () => end,
      told,
      wasAlive: () => wasAlive,
      crashed: /the process of the hooks ended early/,
      killed: /the daemon ended while it evaluated the event/,
    });

    it('runs what the policy allows', () => {
      expect(made(end, 'allowed', 'after')).to.deep.equal([true, true]);
    });

    it('runs nothing that the policy denies, and tells the model why', () => {
      expect(made(end, 'denied', 'made-by-mcp')).to.deep.equal([false, false]);
      expect(told('denied')).to.include('the rule Bash(touch denied*) denies it');
      expect(told('mcp')).to.include('mcp__files__*');
    });

    it('denies what needs approval', () => {
      expect(made(end, 'asked')).to.deep.equal([false]);
      expect(told('asked')).to.include('no approval prompts');
    });

    it('keeps its hook settings and the policy', () => {
      expect(made(end, 'floor', 'own')).to.deep.equal([false, false]);
      expect(told('floor')).to.include('host-floor');
      expect(readFileSync(join(end.folder, 'policy/hookline.yaml'), 'utf8')).to.equal(project['policy/hookline.yaml']);
    });
  });

  it('denies patches, also in a shell', async function () {
    const heredoc = shell(`apply_patch <<'EOF'\n${patch('docs/a.md')}\nEOF`);
    const turns = [call('apply_patch', patch('docs/a.md')), heredoc, shell('touch allowed')];
    const end = await codex(this, ['--config', 'policy/hookline.yaml', ...DAEMON], { tools: 'apply_patch', turns });
    expect(readFileSync(join(end.folder, 'docs/a.md'), 'utf8')).to.equal('one\n');
    expect(made(end, 'allowed')).to.deep.equal([true]);
    for (const { body } of end.requests.slice(1, 3)) expect(codexResult(body)).to.include('Edit(docs/**)');
  });

  it('sends no prompt with a secret to the model', async function () {
    const end = await codex(this, ['--config', 'policy/hookline.yaml'], { prompt: `My key is ${SECRET}.`, turns: [] });
    expect(end.requests).to.deep.equal([]);
  });

  it('counts the calls of a turn', async function () {
    const turns = ['one', 'two', 'three'].map((file) => shell(`touch ${file}`));
    const end = await codex(this, ['--config', 'policy/budget.yaml', ...DAEMON], { turns });
    expect(made(end, 'one', 'two', 'three')).to.deep.equal([true, true, false]);
  });

  // Specs of fake hosts have the same in a shorter time.
  if (process.env['HOOKLINE_SOAK'])
    it('runs nothing with a broken configuration, unless --fail-open is set', async function () {
      const run = { turns: [shell('touch a')] };
      const closed = await codex(this, ['--config', 'policy/broken.yaml'], run);
      // The prompt is denied already.
      expect([made(closed, 'a'), closed.requests]).to.deep.equal([[false], []]);
      const open = await codex(this, ['--config', 'policy/broken.yaml', '--fail-open'], run);
      expect(made(open, 'a')).to.deep.equal([true]);
    });
});
