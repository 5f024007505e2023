import { messageOf } from '../errors/describe-thrown.ts';
import type { Message } from '../events/parts/message.ts';
import type { CallEnding } from '../pipeline/run/run.ts';
import { RunAborted } from './run-aborted.ts';

/** What has happened in a loop, as far as its run knows. */
export interface LoopState {
  readonly cancelled: boolean;
  /** Some call waits for an answer. */
  readonly suspended: boolean;
  /** A hook has answered in the place of the model. */
  readonly answered: boolean;
  /** A hook has asked to end the run. */
  readonly finishing: boolean;
  readonly last: Message | undefined;
}

/** How a loop has ended whose host does not say so. `failed` is what it ended with, if it did. */
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
