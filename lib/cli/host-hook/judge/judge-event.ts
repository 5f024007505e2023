import { userInfo } from 'node:os';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { readEventOf } from '../dialects/read-event-of.ts';
import type { HostAnswer } from '../host-answer.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import type { HostHooks } from '../host-hooks.ts';
import type { Judging } from '../worker/serve-worker.ts';
import { judgeMoment } from './judge-moment.ts';
import { withSessionState } from './session-state.ts';

type JudgeEventOptions = Judging &
  Pick<HostHookFlags, 'ask'> & {
    /** Receives the pipelines whose observers may still have events to process. The caller does not wait for them. */
    readonly watched?: Set<Pick<Pipeline, 'flush'>>;
  };

/** Evaluates one event of a host. Rejects if that fails. */
export async function judgeEvent(
  hooks: Pick<HostHooks, 'lease'>,
  dialect: Dialect,
  event: string,
  { signal, begin, ask, watched = new Set() }: JudgeEventOptions,
): Promise<HostAnswer> {
  const moment = readEventOf(dialect, event);
  if (moment.kind === 'other') return dialect.write(moment, {});
  const { pipeline, release, store } = await hooks.lease(moment.cwd, signal);
  try {
    const who = { userId: userInfo().username, signal, ask };
    const verdict = await withSessionState(store, dialect.host, moment, signal, async (state) => {
      await begin();
      const { verdict, run } = await judgeMoment(pipeline, dialect, moment, { ...who, state });
      return { result: verdict, state: run.state() };
    });
    watched.add(pipeline);
    const answer = dialect.write(moment, verdict);
    if (verdict.lost === undefined) return answer;
    return {
      ...answer,
      stderr: `${answer.stderr}hookline: ${dialect.title} does not support ${verdict.lost} at ${moment.event}.\n`,
    };
  } finally {
    release();
  }
}
