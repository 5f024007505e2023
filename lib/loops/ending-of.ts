import { messageOf } from '../errors/describe-thrown.ts';
import type { Message } from '../events/parts/message.ts';
import type { CallEnding } from '../pipeline/run/run.ts';
import { RunAborted } from './run-aborted.ts';

/** What the run recorded about its loop. */
export interface LoopState {
  readonly cancelled: boolean;
  /** True if a call is pending. */
  readonly suspended: boolean;
  /** True if a hook responded instead of the model. */
  readonly answered: boolean;
  /** True if a hook has asked to end the run. */
  readonly finishing: boolean;
  readonly last: Message | undefined;
}

/** Returns how a loop ended if its host does not report it. `failed` is the error it ended with, if any. */
export function endingOf(failed: unknown, { cancelled, suspended, answered, finishing, last }: LoopState): CallEnding {
  if (cancelled) return { outcome: 'cancelled' };
  if (failed instanceof RunAborted) {
    const { by, reason } = failed.decision;
    return { outcome: 'aborted', reason: `hook "${by}": ${reason}` };
  }
  if (failed !== undefined) return { outcome: 'failed', reason: messageOf(failed) };
  const message = last && { message: last };
  if (suspended) return { outcome: 'suspended' };
  if (answered) return { outcome: 'responded', ...message };
  return { outcome: finishing ? 'finished' : 'completed', ...message };
}
