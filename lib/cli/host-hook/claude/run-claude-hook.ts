import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { handedOver } from '../daemon/handed-over.ts';
import { onEarlyEnd } from '../early-end.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import { createHostHooks } from '../host-hooks.ts';
import { readEvent } from '../read-event.ts';
import type { ClaudeMoment } from './claude-input.ts';
import { judgeClaude, type Stops } from './judge-claude.ts';
import { killAfter } from './kill-after.ts';
import { refuseClaude } from './refuse-claude.ts';

/** Claude Code is told to wait five seconds longer than a call may take. */
const MARGIN_MS = 4_000;

/** Judges one moment of Claude Code in this process, and gives the exit code. Where a daemon may do so next time, it starts one. */
export async function runClaudeHook(
  flags: HostHookFlags,
  write: (text: string) => void,
  stops: Stops,
): Promise<number> {
  const { input, refused, told, place } = handedOver;
  const hooks = createHostHooks(flags);
  const refuse = (): Promise<never> => Promise.reject(new Error(refused));
  const timeoutMs = flags.timeout * 1000;
  const failOpen = flags.failOpen ?? false;
  let moment: ClaudeMoment | undefined;
  const over = onEarlyEnd(() => {
    if (failOpen) return 1;
    const { code, said } = refuseClaude(moment, 'a hook has ended the process.');
    if (said) writeSync(1, `${JSON.stringify(said)}\n`);
    return code;
  });
  killAfter(
    Math.max(0, timeoutMs - performance.now()) + MARGIN_MS,
    'hookline could not judge this: a hook does not give the thread back. The process is killed.\n',
  );
  const { code, stdout, stderr } = await judgeClaude({
    hooks: refused === undefined ? hooks : { lease: refuse },
    read: async () => input ?? (refused === undefined ? readEvent(process.stdin) : refuse()),
    timeoutMs,
    spentMs: performance.now(),
    failOpen,
    ask: flags.ask,
    stops,
    onMoment: (one) => {
      moment = one;
    },
  });
  over();
  if (told !== undefined) process.stderr.write(`hookline works without its daemon: ${told}\n`);
  process.stderr.write(stderr);
  write(stdout);
  // A daemon would fail of what this process has failed of.
  if (place !== undefined && stderr === '') startDaemon(place);
  // Claude Code kills a command that stays much longer than it may take, and lets things go on.
  await hooks.close(Math.max(500, timeoutMs - performance.now()));
  return code;
}

/** Starts a daemon for calls like this one. It outlives this process, and holds nothing of it. */
function startDaemon(place: string): void {
  const [main = '', ...words] = process.argv.slice(1);
  try {
    const child = spawn(process.execPath, [...process.execArgv, main, ...words, '--daemon-at', place], {
      detached: true,
      stdio: 'ignore',
    });
    child.on('error', () => {});
    child.unref();
  } catch {
    // Some failures come as events, others are thrown. Either way this process goes on judging by itself.
  }
}
