import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookCommand } from '../bed/host.ts';
import { recorded } from '../bed/recorded-hook.ts';
import type { HostEnd } from '../bed/run-host.ts';

/** Looks like an access key. */
export const SECRET = 'AKIAZ7QK2'.concat('MRWX5LTN3PB');

/** Seconds that a hook may take, less than the default of the bed: a daemon that starts needs 9 s on a busy machine. */
export const TIMEOUT_S = '25';

/** The policy, which reads `own.cjs` beside it. */
export const POLICY = `hooks:
  policy:
    type: permission
    options:
      deny: ["Bash(touch denied*)", "Edit(docs/**)", "Read(private/**)", "mcp__files__*"]
      ask: ["Bash(touch asked)"]
      default: allow
  scan: { type: security-scan, options: { policies: { prompt: block } } }
  own: { type: module, path: ./own.cjs }
`;

/** Rewrites one command, and disturbs its process at others. It logs the process that started its own: a daemon, or the command of the hook. */
export const OWN = `
const { appendFileSync } = require('node:fs');
const { defineHook, modify } = require('hookline');
module.exports = defineHook({
  name: 'own',
  priority: 2,
  timeoutMs: 600000,
  on: {
    async preActing(event) {
      const { command } = event.toolCall.input;
      appendFileSync(process.env.HOST_BED + '/judges', process.ppid + '\\n');
      if (command === 'touch killed') process.kill(process.ppid, 'SIGKILL');
      if (command === 'touch crashes') process.exit(0);
      if (command === 'touch waits') await new Promise((resolve) => setTimeout(resolve, 600000));
      if (command !== 'touch rewritten') return undefined;
      return modify(event, { toolCall: { ...event.toolCall, input: { ...event.toolCall.input, command: 'touch rewritten.new' } } });
    },
  },
});
`;

/** The files of a project with a policy. */
export const project = {
  'policy/hookline.yaml': POLICY,
  'policy/own.cjs': OWN,
  'policy/broken.yaml': 'hooks: { a: { type: nope } }\n',
  'policy/budget.yaml': 'hooks:\n  budget: { type: budget, options: { limits: [{ of: calls, max: 2 }] } }\n',
  'secret.txt': `key ${SECRET} end\n`,
  'private/a.txt': 'private\n',
  'docs/a.md': 'one\n',
};

const MAIN = join(__dirname, '../../../dist/cli/main.js');

/** The command of a dialect, which logs its input. Paths are relative to the project. */
export const command = (host: string, ...words: readonly string[]): string =>
  recorded(process.execPath, MAIN, 'hook', '--as', host, ...words);

/** The same hook for several events. */
export const hooksOn = (events: readonly string[], line: string): readonly HookCommand[] =>
  events.map((event) => ({ event, command: line }));

/** Whether each file was made. */
export const made = ({ folder }: HostEnd, ...files: readonly string[]): readonly boolean[] =>
  files.map((file) => existsSync(join(folder, file)));

/** Kills the daemon that judged the newest call. Returns whether it was alive: a command of a hook has ended before the model is asked again. */
export function killDaemon(bed: string): boolean {
  const pid = Number(readFileSync(join(bed, 'judges'), 'utf8').trimEnd().split('\n').at(-1));
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
