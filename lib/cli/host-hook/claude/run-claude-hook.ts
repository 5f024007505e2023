import { handedOver } from '../daemon/handed-over.ts';
import { startDaemon } from '../daemon/start-daemon.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import { createHostHooks } from '../host-hooks.ts';
import { readEvent } from '../read-event.ts';
import { judgeClaude } from './judge-claude.ts';

/** Judges one moment of Claude Code in this process, and gives the exit code. Where a daemon may do so next time, it starts one. */
export async function runClaudeHook(
  flags: HostHookFlags,
  write: (text: string) => void,
  stray: Promise<never>,
): Promise<number> {
  const { input, refused, told, place } = handedOver;
  const hooks = createHostHooks(flags);
  const { code, stdout, stderr } = await judgeClaude({
    hooks: refused === undefined ? hooks : { lease: () => Promise.reject(new Error(refused)) },
    read: async () => input ?? readEvent(process.stdin),
    timeoutMs: flags.timeout * 1000,
    spentMs: performance.now(),
    failOpen: flags.failOpen ?? false,
    stray,
  });
  if (told !== undefined) process.stderr.write(`hookline works without its daemon: ${told}\n`);
  process.stderr.write(stderr);
  write(stdout);
  // A daemon would fail of what this process has failed of.
  if (place !== undefined && stderr === '') startDaemon(place);
  await hooks.close();
  return code;
}
