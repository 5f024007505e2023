import { userInfo } from 'node:os';
import type { HostAnswer } from '../host-answer.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import type { HostHooks } from '../host-hooks.ts';
import type { Judging } from '../worker/serve-worker.ts';
import { answerClaude } from './answer-claude.ts';
import { type OtherMoment, readClaudeInput } from './claude-input.ts';
import { hostAnswer } from './refuse-claude.ts';
import { sessionState } from './session-state.ts';

/** Judges one event of Claude Code. Rejects where it could not be judged. */
export async function judgeClaude(
  hooks: Pick<HostHooks, 'lease'>,
  event: string,
  { signal, begin, ask }: Judging & Pick<HostHookFlags, 'ask'>,
): Promise<HostAnswer> {
  const moment = readClaudeInput(event);
  if (moment.hook_event_name === 'other') return { code: 1, stdout: '', stderr: noPart(moment) };
  const { pipeline, release, store } = await hooks.lease(moment.cwd, signal);
  try {
    const session = sessionState(store, moment);
    const state = await session.read();
    begin();
    const { said, run } = await answerClaude(pipeline, moment, { userId: userInfo().username, signal, ask, state });
    await session.write(run.state());
    await pipeline.flush();
    return hostAnswer(moment, said);
  } finally {
    release();
  }
}

/** Not refused, for nobody can say what that would do; but told. */
function noPart({ name }: OtherMoment): string {
  return `hookline has no part in ${name}, so nothing was judged there. Take it out of the settings; hookline hook --as claude --install prints those that it judges.\n`;
}
