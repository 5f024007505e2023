import type { LoopRunOptions } from '../../../loops/loop-run.ts';
import { startLoopRun } from '../../../loops/start-loop-run.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { Run, RunOptions } from '../../../pipeline/run/run.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import type { HostMoment, Verdict } from './host-moment.ts';
import { judgeAnswer, judgeRequest } from './judge-model.ts';
import { judgePrompt, judgeStop } from './judge-turn.ts';
import { judgeResult, judgeUse } from './judge-use.ts';

type VerdictOptions = Pick<LoopRunOptions, 'userId' | 'signal' | 'dryRun'> &
  Pick<HostHookFlags, 'ask'> &
  Pick<RunOptions, 'state'>;

/** Passes an event of a host through the hooks. Returns what they decided, and the run of the event. */
export async function judgeMoment(
  pipeline: Pipeline,
  { host, title }: Pick<Dialect, 'host' | 'title'>,
  moment: HostMoment,
  { ask = 'ask', ...options }: VerdictOptions = {},
): Promise<{ readonly verdict: Verdict; readonly run: Run }> {
  const { session: sessionId, agent } = moment;
  const loop = startLoopRun(pipeline, {
    agent: agent === undefined ? host : `${host}-subagent`,
    sessionId,
    ...options,
  });
  const judge = (): Promise<Verdict> | Verdict => {
    switch (moment.kind) {
      case 'call':
        return judgeUse(loop.run, moment, ask === 'ask', options.dryRun);
      case 'result':
        return judgeResult(loop.run, moment);
      case 'prompt':
        return judgePrompt(loop, title, moment);
      case 'stop':
        return judgeStop(loop, moment);
      case 'request':
        return judgeRequest(loop, moment);
      case 'answer':
        return judgeAnswer(loop, moment);
      default:
        return {};
    }
  };
  return { verdict: await judge(), run: loop.run };
}
