import { userInfo } from 'node:os';
import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HostAnswer } from '../host-answer.ts';
import type { HostHooks } from '../host-hooks.ts';
import { inTime } from '../in-time.ts';
import { answerClaude } from './answer-claude.ts';
import { type ClaudeMoment, readClaudeInput } from './claude-input.ts';
import { refuseClaude } from './refuse-claude.ts';

/** How one moment is judged. */
export interface JudgeClaudeOptions {
  readonly hooks: Pick<HostHooks, 'lease'>;
  readonly read: () => Promise<string>;
  /** Milliseconds that it may take, and of which so many are spent. */
  readonly timeoutMs: number;
  readonly spentMs?: number;
  readonly failOpen: boolean;
  /** Rejects where it cannot be judged any more. */
  readonly stray: Promise<never>;
  /** Says how it is refused; default: as a command hook. */
  readonly refuse?: (
    moment: ClaudeMoment | undefined,
    why: string,
  ) => { readonly code: number; readonly said?: JsonObject | undefined };
}

/** Judges one moment of Claude Code. Whatever goes wrong refuses, unless it is to let things go on. */
export async function judgeClaude(options: JudgeClaudeOptions): Promise<HostAnswer> {
  const { hooks, read, timeoutMs, failOpen, stray, refuse = refuseClaude } = options;
  const over = new AbortController();
  let moment: ClaudeMoment | undefined;
  const judge = async (): Promise<JsonObject | undefined> => {
    moment = readClaudeInput(await read());
    if (!moment) return undefined;
    const { pipeline, release } = await hooks.lease(moment.cwd);
    try {
      const answer = await answerClaude(pipeline, moment, { userId: userInfo().username, signal: over.signal });
      await pipeline.flush();
      return answer;
    } finally {
      release();
    }
  };
  try {
    const answer = await inTime(timeoutMs, Promise.race([judge(), stray]), options.spentMs);
    return { code: 0, stdout: lineOf(answer), stderr: '' };
  } catch (thrown) {
    over.abort(thrown);
    const why = messageOf(thrown);
    const end = failOpen ? 'It goes on without (--fail-open).' : 'Nothing was judged, so it is refused.';
    const { code, said } = failOpen ? { code: 1 } : refuse(moment, why);
    return { code, stdout: lineOf(said), stderr: `hookline could not judge this: ${why} ${end}\n` };
  }
}

function lineOf(said: JsonObject | undefined): string {
  return said ? `${JSON.stringify(said)}\n` : '';
}
