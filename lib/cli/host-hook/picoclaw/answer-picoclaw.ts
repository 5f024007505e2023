import { userInfo } from 'node:os';
import { messageOf } from '../../../errors/describe-thrown.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import { createHostHooks } from '../host-hooks.ts';
import { refusePicoclaw, servePicoclaw } from './serve-picoclaw.ts';

const LOAD_MS = 30_000;

/** Answers PicoClaw until it closes our input. */
export async function answerPicoclaw(flags: HostHookFlags, write: (text: string) => void): Promise<void> {
  const hooks = createHostHooks(flags);
  try {
    // PicoClaw waits for a first word as long as it takes.
    const { pipeline, release } = await hooks.lease('', AbortSignal.timeout(LOAD_MS)).catch(async (thrown) => {
      // PicoClaw goes on without a hook that ends.
      if (!flags.failOpen) await refusePicoclaw(messageOf(thrown), process.stdin, write);
      throw thrown;
    });
    await servePicoclaw({
      pipeline,
      userId: userInfo().username,
      timeoutMs: flags.timeout * 1000,
      failOpen: flags.failOpen ?? false,
      input: process.stdin,
      write,
      log: (message) => void process.stderr.write(`${message}\n`),
    });
    release();
  } finally {
    await hooks.close();
  }
}
