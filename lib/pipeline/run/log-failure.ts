import { isError } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { EventType } from '../../events/hook-event.ts';
import type { Logger } from '../logger.ts';
import type { StepFailure } from './step-failure.ts';

/** Logs what somebody threw who was let go of: nothing waits for that any more, so nothing fails of it. */
export function logTeardown(log: Logger | undefined, thrown: unknown): void {
  log?.error({ err: thrown }, 'something threw while it was let go of');
}

/** Logs a hook's failure: what it threw itself, for loggers write the causes of an error behind its message, which repeats them. */
export function logFailure(log: Logger, event: EventType, { hook, cause }: StepFailure): void {
  const wrapped = isError(cause, HooklineError) && cause.code === 'HOOK_FAILED';
  log.error({ hook, event, err: wrapped ? cause.cause : cause }, 'a hook failed');
}
