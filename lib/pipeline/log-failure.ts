import type { Logger } from 'pino';
import { HooklineError } from '../errors.ts';
import type { EventType } from '../events/hook-event.ts';
import type { StepFailure } from './step-failure.ts';

/** Logs a hook's failure: what it threw itself, for loggers write the causes of an error behind its message, which repeats them. */
export function logFailure(log: Logger, event: EventType, { hook, cause }: StepFailure): void {
  const wrapped = cause instanceof HooklineError && cause.code === 'HOOK_FAILED';
  log.error({ hook, event, err: wrapped ? cause.cause : cause }, 'a hook failed');
}
