import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { root } from '../../cli/hookline.ts';
import { orPending } from '../bed/host-program.ts';
import { opencodePlugin } from '../bed/opencode-plugin.ts';
import { type HostEnd, type HostRun, runHost } from '../bed/run-host.ts';
import { call, type Turn } from '../bed/turn.ts';
import { installed, PLUGIN } from '../installed/install.ts';
import { holdsInEveryHost } from './every-host.ts';
import { killDaemon, made, OWN, POLICY, project, SECRET, TIMEOUT_S } from './policy.ts';

const shell = (command: string) => call('bash', { command, description: 'd' });
const server = [process.execPath, join(__dirname, '../bed/mcp-server.mjs')];
const patch = '*** Begin Patch\n*** Update File: docs/a.md\n@@\n-one\n+two\n*** End Patch';

const PATCHES = `hooks:
  policy: { type: permission, options: { default: allow, deny: ["Edit(docs/**)"] } }
  budget: { type: budget, options: { limits: [{ of: calls, max: 2 }] } }
`;
const PROMPTS = 'hooks: { scan: { type: security-scan, options: { policies: { prompt: redact } } } }\n';

interface Guarded extends Pick<HostRun, 'turns' | 'prompt' | 'mcp' | 'configuration'> {
  files?: Record<string, string>;
}

/** opencode with the plugin that `--install` writes. */
function opencode(context: Context, { text }: { text: string }, { files = {}, ...run }: Guarded): Promise<HostEnd> {
  return orPending(context, runHost({ host: 'opencode', files: { ...project, ...files, [PLUGIN]: text }, ...run }));
}

describe('opencode under the plugin of hookline hook --install', () => {
  describe('with a policy', () => {
    const policy = POLICY.replace('deny: [', 'deny: ["mcp__two_words__*", ');
    const guard = installed(
      'opencode',
      { 'hookline.yaml': policy, 'own.cjs': OWN },
      '--daemon',
      '--idle',
      '5',
      '--timeout',
      TIMEOUT_S,
    );
    const config = join(guard.project, 'hookline.yaml');
    let end: HostEnd;
    let wasAlive = false;

    const TURNS = {
      allowed: shell('touch allowed'),
      denied: shell('touch denied'),
      asked: shell('touch asked'),
      rewritten: shell('touch rewritten'),
      write: call('write', { filePath: 'docs/b.md', content: 'x' }),
      edit: call('edit', { filePath: 'docs/a.md', oldString: 'one', newString: 'two' }),
      read: call('read', { filePath: 'private/a.txt' }),
      secret: call('read', { filePath: 'secret.txt' }),
      mcp: call('files_touch', { path: 'made-by-mcp' }),
      words: call('two_words_touch', { path: 'made-by-two-words' }),
      other: call('other_touch', { path: 'made-by-other' }),
      plugin: call('write', { filePath: PLUGIN, content: 'export const Hookline = async () => ({});' }),
      folder: shell('rm -rf .opencode'),
      config: call('edit', { filePath: config, oldString: 'default: allow', newString: 'default: allow # mine' }),
      floor: shell(`echo {} > ${config}`),
      unreadable: shell(7 as never),
      task: call('task', { description: 'd', prompt: 'p', subagent_type: 'general' }),
      subagent: shell('touch denied-in-task'),
      subagentText: { text: 'the task is done' },
      crashes: shell('touch crashes'),
      waits: shell('touch waits'),
      beforeKill: shell('touch before-kill'),
      afterKill: (_: unknown, bed: string): Turn => {
        wasAlive = killDaemon(bed);
        return shell('touch denied-after-kill');
      },
      killed: shell('touch killed'),
      after: shell('touch after'),
    };

    before(async function () {
      const mcp = { files: server, two_words: server, other: server };
      end = await opencode(this, guard, { mcp, turns: Object.values(TURNS) });
    });
    const told = (name: keyof typeof TURNS): string => {
      const request = end.requests[Object.keys(TURNS).indexOf(name) + 1];
      const messages = (request?.body['messages'] ?? []) as { role: string; content: string }[];
      return messages.findLast(({ role }) => role === 'tool')?.content ?? '';
    };

    holdsInEveryHost({
      end: () => end,
      told,
      wasAlive: () => wasAlive,
      crashed: /Hookline|hookline|ended/,
      killed: /killed by SIGKILL|the daemon ended/,
    });

    it('runs what the policy allows', () => {
      expect(made(end, 'allowed', 'after', 'made-by-other'), end.output).to.deep.equal([true, true, true]);
    });

    it('runs nothing that the policy denies, and tells the model why', () => {
      expect(made(end, 'denied', 'docs/b.md', 'denied-in-task')).to.deep.equal([false, false, false]);
      expect(readFileSync(join(end.folder, 'docs/a.md'), 'utf8')).to.equal('one\n');
      expect(told('denied')).to.include('the rule Bash(touch denied*) denies it');
      for (const name of ['write', 'edit'] as const) expect(told(name)).to.include('Edit(docs/**)');
      expect(told('read')).to.include('Read(private/**)');
      expect(told('subagent')).to.include('Bash(touch denied*)');
    });

    it('denies tools of MCP, also if the name of the server has two words', () => {
      expect(made(end, 'made-by-mcp', 'made-by-two-words')).to.deep.equal([false, false]);
      expect(told('mcp')).to.include('mcp__files__*');
      expect(told('words')).to.include('mcp__two_words__*');
    });

    it('denies what needs approval, and says where to allow it', () => {
      expect(made(end, 'asked')).to.deep.equal([false]);
      expect(told('asked')).to.include('no approval prompts').and.to.include('--inbox');
    });

    it('keeps its plugin and the policy', () => {
      expect(readFileSync(join(end.folder, PLUGIN), 'utf8')).to.equal(guard.text);
      expect(readFileSync(config, 'utf8')).to.equal(policy);
      for (const name of ['plugin', 'folder', 'config', 'floor'] as const) expect(told(name)).to.include('host-floor');
    });
  });

  it('counts the calls of a turn, and denies patches', async function () {
    const guard = installed('opencode', { 'hookline.yaml': PATCHES }, '--daemon', '--idle', '5');
    const turns = [
      call('apply_patch', { patchText: patch }),
      ...['one', 'two', 'three'].map((file) => shell(`touch ${file}`)),
    ];
    const end = await opencode(this, guard, { turns, configuration: { model: 'fake/gpt-5' } });
    expect(readFileSync(join(end.folder, 'docs/a.md'), 'utf8')).to.equal('one\n');
    expect(made(end, 'one', 'two', 'three')).to.deep.equal([true, true, false]);
  });

  it('sends no prompt with a secret to the model, as check --for opencode says', async function () {
    const guard = installed('opencode', { 'hookline.yaml': PROMPTS });
    const files = opencodePlugin(`event: async ({ event }) => event.type === 'tui.toast.show' && log('event', event)`);
    const end = await opencode(this, guard, { files, prompt: `My key is ${SECRET}.`, turns: [] });
    expect([end.requests, end.asides]).to.deep.equal([[], []]);
    const why = 'hookline denied the prompt: A hook changed the prompt';
    // opencode itself shows "Unexpected server error".
    expect(end.output).to.include(why);
    expect(JSON.stringify(end.hookInputs)).to.include(why);
    expect(end.exitCode).to.equal(1);
    const words = [join(root, 'dist/cli/main.js'), 'check', '--for', 'opencode', '--json', 'hookline.yaml'];
    const { hosts } = JSON.parse(execFileSync(process.execPath, words, { cwd: guard.project, encoding: 'utf8' }));
    const row = hosts[0].guards.find(({ rule }: { rule?: string }) => rule === 'policies.prompt');
    expect(row).to.include({ hook: 'scan', holds: 'in part' });
    expect(row.why).to.include('one that the hook changes is blocked');
  });
});
