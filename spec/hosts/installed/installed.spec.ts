import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { folder, root } from '../../cli/hookline.ts';
import type { HookCommand } from '../bed/host.ts';
import { type HostName, orPending } from '../bed/host-program.ts';
import { type HostEnd, runHost } from '../bed/run-host.ts';
import { call } from '../bed/turn.ts';

const RULES = `hooks:
  p: { type: permission, options: { default: allow, deny: ["run_command(touch denied*)"] } }
  redact: { type: security-scan }
`;
const SECRET = `ghp_${'a1B2c3'.repeat(6)}`;

const FILES = {
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  opencode: '.opencode/plugins/hookline.js',
};

/** What `--install --write` wrote. The command is the built one, because a host starts it without ts-node. */
function installed(host: HostName): string {
  const project = folder({ 'hookline.yaml': RULES });
  const words = ['hook', '--as', host, '--config', 'hookline.yaml', '--install', '--project', '--write'];
  execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), ...words], { cwd: project });
  return readFileSync(join(project, FILES[host]), 'utf8');
}

function hooksIn(text: string): readonly HookCommand[] {
  const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]> };
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap((group) => group.hooks.map(({ command, timeout }) => ({ event, command, timeout }))),
  );
}

const shell = (host: HostName, command: string) => {
  if (host === 'codex') return call('exec_command', { cmd: command });
  return call(host === 'gemini' ? 'run_shell_command' : 'bash', { command, description: 'd' });
};

const made = ({ folder: at }: HostEnd, ...files: string[]) => files.map((file) => existsSync(join(at, file)));

const BEFORE = /^(?:PreToolUse|BeforeTool)$/;

/** With `calls`, only the hook before a call is installed, because the one for prompts would end the run first. */
function run(context: Context, host: HostName, text: string, calls = false): Promise<HostEnd> {
  const turns = ['touch fine.txt', 'touch denied.txt', `echo ${SECRET.slice(0, 4)}""${SECRET.slice(4)}`];
  const settings =
    host === 'opencode'
      ? { files: { [FILES.opencode]: calls ? text.replace("'chat.message'", "'chat.none'") : text } }
      : { hooks: hooksIn(text).filter(({ event }) => !calls || BEFORE.test(event)) };
  return orPending(context, runHost({ host, ...settings, turns: turns.map((command) => shell(host, command)) }));
}

describe('what --install writes, in the real host', () => {
  for (const host of ['codex', 'gemini', 'opencode'] as const) {
    it(`runs, denies and redacts calls of ${host}`, async function () {
      const end = await run(this, host, installed(host));
      expect(made(end, 'fine.txt', 'denied.txt'), end.output).to.deep.equal([true, false]);
      const told = JSON.stringify(end.requests.at(-1)?.body);
      expect(told).to.contain('denied by hook').and.not.to.contain(SECRET);
    });

    it(`denies all calls of ${host} if hookline is gone`, async function () {
      const text = installed(host);
      const end = await run(this, host, text.replaceAll(/\/[^\s"']*main\.[jt]s/g, '/gone/main.js'), true);
      expect(end.requests).to.have.length(4);
      expect(made(end, 'fine.txt', 'denied.txt')).to.deep.equal([false, false]);
    });
  }
});
