import { userInfo } from 'node:os';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { HostAnswer } from '../host-answer.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import type { HostHooks } from '../host-hooks.ts';
import type { Judging } from '../worker/serve-worker.ts';
import { answerClaude } from './answer-claude.ts';
import { type OtherMoment, readClaudeInput } from './claude-input.ts';
import { hostAnswer } from './refuse-claude.ts';
import { withSessionState } from './session-state.ts';

/** Options for the evaluation of an event. */
type JudgeClaudeOptions = Judging &
  Pick<HostHookFlags, 'ask'> & {
    /** Receives the pipelines whose observers may still have events to process. The caller does not wait for them. */
    readonly watched?: Set<Pick<Pipeline, 'flush'>>;
  };

/** Evaluates one event of Claude Code. Rejects if that fails. */
export async function judgeClaude(
  hooks: Pick<HostHooks, 'lease'>,
  event: string,
  { signal, begin, ask, watched = new Set() }: JudgeClaudeOptions,
): Promise<HostAnswer> {
  const moment = readClaudeInput(event);
  if (moment.hook_event_name === 'other') return { code: 1, stdout: '', stderr: noPart(moment) };
  const { pipeline, release, store } = await hooks.lease(moment.cwd, signal);
  try {
    const who = { userId: userInfo().username, signal, ask };
    const answer = await withSessionState(store, moment, signal, async (state) => {
      await begin();
      const { answer, run } = await answerClaude(pipeline, moment, { ...who, state });
      return { result: answer, state: run.state() };
    });
    watched.add(pipeline);
    return hostAnswer(moment, answer);
  } finally {
    release();
  }
}

/** Reports the event and does not deny it, because the effect of a denial is unknown. */
function noPart({ name }: OtherMoment): string {
  return `hookline does not evaluate the event ${name}. Remove it from the settings; hookline hook --as claude --install prints the supported events.\n`;
}
