import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folder, outcomeOf, start } from '../../hookline.ts';

/**
 * Records which process loads it and which evaluates calls. `slow` waits for a file `go`, `stray` fails in the background, `hang` blocks the event
 * loop.
 */
const WHO = `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineHook, verdict } from 'hookline';
import { words } from './words.cjs';
import { more } from './more.mjs';
appendFileSync('loaded', process.pid + '\\n');
export default defineHook({
  name: 'who',
  priority: 1,
  async approve({ toolCall: { input: { command } } }) {
    appendFileSync('judged', process.pid + ' ' + command + '\\n');
    if (command === 'slow') while (!existsSync('go')) await sleep(20);
    if (command === 'hang') for (;;);
    if (command === 'stray') { Promise.reject(new Error('stray')); await sleep(60_000); }
    const why = words[command] ?? more[command] ?? process.env[command];
    return why ? verdict.deny(why) : verdict.allow();
  },
  on: {
    async postActing({ toolCall: { input: { command } } }) {
      appendFileSync('judged', process.pid + ' result of ' + command + '\\n');
      if (command === 'slow') while (!existsSync('go')) await sleep(20);
    },
  },
  timeoutMs: 600_000,
});
`;
const RULES = `hooks:
  permission: { type: permission, options: { allow: ["run_command(*)"], deny: ["run_command(rm:*)"] } }
`;

/** Differences from the usual event, and the environment of its call. */
interface Moment {
  readonly env?: NodeJS.ProcessEnv;
  readonly [member: string]: unknown;
}

/** A folder with hooks for a daemon, and the calls of its host. */
export function daemonBed({ config = RULES, args = [] as readonly string[], files = {} } = {}) {
  const dir = folder({
    'hookline.yaml': config,
    'who.mjs': WHO,
    'words.cjs': 'exports.words = {};',
    'more.mjs': 'export const more = {};',
    ...files,
  });
  const runtime = folder();
  const sockets = join(runtime, `hookline-${process.getuid?.()}`);
  const lines = (file: string) =>
    existsSync(join(dir, file)) ? readFileSync(join(dir, file), 'utf8').split('\n').filter(Boolean) : [];
  const words = ['hook', '--as', 'claude', '--config', 'hookline.yaml', '--hooks', './who.mjs', '--daemon', ...args];

  /** Starts one call. */
  function call(command: string, { env = {}, ...moment }: Moment = {}) {
    const event = {
      ...{ session_id: 's1', cwd: dir, hook_event_name: 'PreToolUse', tool_use_id: randomUUID() },
      ...{ tool_name: 'Bash', tool_input: { command }, ...moment },
    };
    const child = start(words, { cwd: dir, env: { XDG_RUNTIME_DIR: runtime, ...env } });
    child.stdin?.on('error', () => {}).end(JSON.stringify(event));
    return { child, outcome: outcomeOf(child) };
  }
  const judges = () => lines('judged').map((line) => Number(line.split(' ')[0]));

  return {
    dir,
    runtime,
    sockets,
    words,
    call,
    ask: (command: string, more: Moment = {}) => call(command, more).outcome,
    write: (name: string, text: string) => writeFileSync(join(dir, name), text),
    /** Processes that evaluated calls of a command, in order. */
    judgesOf: (command: string) =>
      lines('judged').flatMap((line) =>
        line.slice(line.indexOf(' ') + 1) === command ? [Number(line.split(' ')[0])] : [],
      ),
    /** Running processes that loaded the hooks. */
    alive: () => lines('loaded').map(Number).filter(isAlive),
    listening: () => (existsSync(sockets) ? readdirSync(sockets) : []),
    /** Calls until one process, the daemon, has evaluated twice, and returns it. */
    async daemon(more: Moment = {}): Promise<number> {
      for (;;) {
        await call('ls', more).outcome;
        const [last, other] = judges().reverse();
        if (last !== undefined && last === other && isAlive(last)) return last;
        await sleep(50);
      }
    },
    async end() {
      writeFileSync(join(dir, 'go'), '');
      for (const pid of lines('loaded').map(Number)) killIfAlive(pid);
      await until(() => !lines('loaded').map(Number).some(isAlive));
    },
  };
}

/** Waits for a condition, up to the timeout of the spec. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

/** A process may exit just before. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (thrown) {
    // The process is gone. Without /proc, it has answered the signal.
    return (thrown as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync('/proc/self/status');
  }
}

/** The daemon of a worker process. */
export function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
