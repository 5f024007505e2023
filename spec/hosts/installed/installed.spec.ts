import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { type HostName, orPending } from '../bed/host-program.ts';
import { type HostEnd, runHost } from '../bed/run-host.ts';
import { call } from '../bed/turn.ts';
import { hooksIn, installed, PLUGIN } from './install.ts';

const FILES = {
  'hookline.yaml': `hooks:
  p: { type: permission, options: { default: allow, deny: ["run_command(touch denied*)"] } }
  redact: { type: security-scan }
`,
  // In place of the command of hookline: one call kills it, and it cannot start for others.
  'gone.js': `if (require('node:fs').readFileSync(0, 'utf8').includes('denied')) process.kill(process.pid, 'SIGKILL');
require('/gone/main.js');
`,
};
const SECRET = `ghp_${'a1B2c3'.repeat(6)}`;
const COMMANDS = ['touch fine.txt', 'touch denied.txt', `echo ${SECRET.slice(0, 4)}""${SECRET.slice(4)}`];

const shell = (host: HostName, command: string) => {
  if (host === 'codex') return call('exec_command', { cmd: command });
  return call(host === 'gemini' ? 'run_shell_command' : 'bash', { command, description: 'd' });
};

const made = ({ folder: at }: HostEnd, ...files: string[]) => files.map((file) => existsSync(join(at, file)));

const BEFORE = /^(?:PreToolUse|BeforeTool)$/;

/** With `calls`, only the hook before a call is installed, because the one for prompts would end the run first. */
function run(context: Context, host: HostName, text: string, calls = false): Promise<HostEnd> {
  const settings =
    host === 'opencode'
      ? { files: { [PLUGIN]: calls ? text.replace("'chat.message'", "'chat.none'") : text } }
      : { hooks: hooksIn(host, text).filter(({ event }) => !calls || BEFORE.test(event)) };
  return orPending(context, runHost({ host, ...settings, turns: COMMANDS.map((command) => shell(host, command)) }));
}

/** The newest message in a request to the model, as JSON. */
function told({ requests }: HostEnd, turn: number): string {
  const { input, contents, messages } = requests[turn]?.body ?? {};
  return JSON.stringify(((input ?? contents ?? messages) as unknown[] | undefined)?.at(-1) ?? '');
}

describe('what --install writes, in the real host', () => {
  for (const host of ['codex', 'gemini', 'opencode'] as const) {
    it(`runs, denies and redacts calls of ${host}`, async function () {
      const end = await run(this, host, installed(host, FILES, '--daemon', '--idle', '5').text);
      expect(made(end, 'fine.txt', 'denied.txt'), end.output).to.deep.equal([true, false]);
      expect(told(end, 2)).to.contain('denied by hook');
      expect(told(end, 3)).to.contain('[REDACTED:github-pat]');
      expect(JSON.stringify([end.requests, end.asides])).not.to.contain(SECRET);
    });

    it(`denies all calls of ${host} with a reason if hookline is gone, or is killed`, async function () {
      const { project, text } = installed(host, FILES);
      const end = await run(this, host, text.replaceAll(/\/[^\s"']*main\.[jt]s/g, join(project, 'gone.js')), true);
      expect(made(end, 'fine.txt', 'denied.txt')).to.deep.equal([false, false]);
      expect(told(end, 1)).to.contain("Cannot find module '/gone/main.js'");
      expect(told(end, 2)).to.match(/hookline (?:did not start, so the call is denied|was killed by SIGKILL)/);
    });
  }
});
