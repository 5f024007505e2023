import { beforeForeignCode } from '../../../config/modules/foreign-code.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { DialectName } from '../dialects/dialect-names.ts';
import { dialectOf } from '../dialects/dialects.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import { createHostHooks } from '../host-hooks.ts';
import { judgeEvent } from '../judge/judge-event.ts';
import { endWithFront } from './end-with-front.ts';
import { serveWorker } from './serve-worker.ts';

/** The flags of a worker: those of its front. */
export interface JudgingFlags extends HostHookFlags {
  readonly as: DialectName | 'picoclaw';
  readonly daemon?: boolean;
  readonly listen?: object;
}

/** Runs the hooks in a worker process for a front process. */
export function serveJudging(flags: JudgingFlags): Promise<void> {
  // A command hook handles one event only, and `--install` already printed the notice.
  const lasts = flags.as === 'picoclaw' || flags.daemon === true || flags.listen !== undefined;
  // The thread takes a third of the time of a process to start, and built-in hooks do not block the event loop.
  if (lasts) endWithFront();
  else beforeForeignCode(endWithFront);
  const hooks = createHostHooks(flags, flags.as, lasts);
  if (flags.as === 'picoclaw') {
    // PicoClaw waits for its first answer without a timeout.
    let release = (): void => {};
    const { judgePicoclaw }: typeof import('../picoclaw/judge-picoclaw.ts') = require('../picoclaw/judge-picoclaw');
    const judge = judgePicoclaw(async () => {
      const lease = await hooks.lease();
      release = lease.release;
      return lease.pipeline;
    });
    return serveWorker(hooks, {
      answer: (event, judging) => judge.answer(JSON.parse(event), judging),
      notify: (event) => judge.notify(JSON.parse(event)),
      end: () => judge.end().finally(release),
    });
  }
  const dialect = dialectOf(flags.as);
  const watched = new Set<Pick<Pipeline, 'flush'>>();
  return serveWorker(hooks, {
    answer: (event, judging) => judgeEvent(hooks, dialect, event, { ...judging, ask: flags.ask, watched }),
    end: async () => void (await Promise.all([...watched].map((pipeline) => pipeline.flush()))),
  });
}
