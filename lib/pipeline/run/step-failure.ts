import { isError, messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { ErrorEvent } from '../../events/error-event.ts';
import type { EventType } from '../../events/hook-event.ts';
import type { Logger } from '../logger.ts';

/** The reason that a step failed, before it becomes an error event. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  readonly source: ErrorEvent['source'];
  readonly hook: string | undefined;
  /** Whether continuing would pass content that no hook has judged. */
  readonly fatal: boolean;

  constructor(source: ErrorEvent['source'], thrown: unknown, hook?: string, fatal = false) {
    super(messageOf(thrown), { cause: thrown });
    this.source = source;
    this.hook = hook;
    this.fatal = fatal;
  }

  /** Returns the same failure with other words. */
  rewritten(where: string, thrown: unknown): StepFailure {
    if (this.hook !== undefined) return hookFailure(this.hook, where, thrown, this.fatal);
    return new StepFailure(this.source, thrown);
  }
}

/**
 * The failure of a hook: what it threw, or its violation of the contract, with its name. Fatal, because nothing was judged, unless the hook
 * only wraps a step.
 */
export function hookFailure(hook: string, where: string, thrown: unknown, fatal = true): StepFailure {
  // A port of the host failed inside the hook.
  if (isError(thrown, StepFailure) && thrown.source === 'host') return thrown;
  const kept =
    isError(thrown, HooklineError) && ['HOOK_CONTRACT', 'HOOK_TIMEOUT', 'VIRTUAL_TIME'].includes(thrown.code);
  const message = messageOf(thrown);
  const error = kept
    ? thrown
    : new HooklineError('HOOK_FAILED', `Hook "${hook}" failed in ${where}: ${message}`, { cause: thrown });
  return new StepFailure('hook', error, hook, fatal);
}

/** Logs a hook's failure. Loggers write the causes of an error after its message, which repeats them, so the original is logged. */
export function logFailure(log: Logger, event: EventType, { hook, cause }: StepFailure): void {
  const wrapped = isError(cause, HooklineError) && cause.code === 'HOOK_FAILED';
  log.error({ hook, event, err: wrapped ? cause.cause : cause }, 'a hook failed');
}

const firsts = new WeakMap<object, unknown>();

/** Marks `error` as other words for `thrown`. A wrapper that throws it forwards the failure and is not blamed. */
export function rewritten<E extends Error>(error: E, thrown: unknown): E {
  firsts.set(error, thrown);
  return error;
}

/** Records who caused the failure of a wrapped step: the step or one of its wrappers. The first one that was blamed stays blamed. */
export class Blame {
  readonly #phase: ErrorEvent['phase'];
  #failures: Map<unknown, StepFailure> | undefined = undefined;

  constructor(phase: ErrorEvent['phase']) {
    this.#phase = phase;
  }

  failureOf(thrown: unknown): StepFailure {
    return this.#failures?.get(thrown) ?? this.ownFailure(thrown);
  }

  /** Without a failure, the step is blamed. */
  put(thrown: unknown, failure = this.ownFailure(thrown)): void {
    this.#failures ??= new Map();
    if (!this.#failures.has(thrown)) this.#failures.set(thrown, failure);
  }

  /** A failure that a wrapper only words differently is attributed to its first source. */
  isPut(thrown: unknown): boolean {
    if (typeof thrown === 'object' && thrown !== null && firsts.has(thrown)) {
      const known = this.#failures?.get(firsts.get(thrown));
      if (known) this.put(thrown, known.rewritten(`around.${this.#phase}`, thrown));
    }
    return this.#failures?.has(thrown) ?? false;
  }

  private ownFailure(thrown: unknown): StepFailure {
    if (isError(thrown, StepFailure)) return thrown;
    return new StepFailure(this.#phase === 'acting' ? 'tool' : 'model', thrown);
  }
}
