import type { Observable, Subscription } from 'rxjs';
import { isError, messageOf, propertyOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import type { Message, MessageInput } from '../events/parts/message.ts';
import type { Lifetime } from '../pipeline/flow/lifetime.ts';
import { logTeardown } from '../pipeline/logger.ts';
import { checkMessage } from './check-message.ts';
import { onAbort } from './on-abort.ts';

/** `cancel` stops the run immediately. `graceful` ends it with a last model step without tools. */
export type Interrupt = 'cancel' | 'graceful';

/** Why calls do not start after a message of the user. */
export const STEERED_FIRST = 'the user sent another message first';

/** The control of an active run. */
export interface Control {
  /** Why calls that have not started should not start any more, if so. */
  readonly hold: string | undefined;
  readonly graceful: boolean;
  readonly steered: boolean;
  /** The messages that have come since it was last asked. */
  takeSteering(): readonly Message[];
  /** Ends the run gracefully. */
  interrupt(): void;
  close(): void;
}

/** Options that control an active run: cancel, steer and interrupt. */
export interface ControlOptions {
  /** Cancels the run. @example signal: AbortSignal.timeout(60_000) */
  readonly signal?: AbortSignal;
  /** Messages that are added before the next model step. @example steering$: messages$ */
  readonly steering$?: Observable<MessageInput>;
  /** Interrupts the run: `cancel`, or `graceful` with a last answer. @example interrupt$: timer(60_000).pipe(map(() => 'graceful')) */
  readonly interrupt$?: Observable<Interrupt>;
}

/** Follows `signal`, `steering$` and `interrupt$` until `close`. Calls `onFailure` when a stream fails or emits an invalid value. */
export function createControl(
  options: ControlOptions,
  lifetime: Lifetime,
  onFailure: (thrown: unknown) => void,
): Control {
  const { signal, steering$, interrupt$ } = options;
  let queue: Message[] = [];
  let graceful = false;
  const subscriptions: (Subscription | undefined)[] = [];

  const forget = signal && onAbort(signal, () => lifetime.cancel(reasonOf(signal)));
  // Thrown in a stream's own call it would be anybody's, or the process's.
  const orFail = <T>(take: (value: T) => void) => ({
    next(value: T) {
      try {
        take(value);
      } catch (thrown) {
        onFailure(thrown);
      }
    },
    error: onFailure,
  });
  subscriptions.push(
    steering$?.subscribe(orFail((input) => void queue.push(checkMessage(input, 'The value of steering$')))),
    interrupt$?.subscribe(
      orFail((kind) => {
        if (kind === 'graceful') graceful = true;
        else if (kind === 'cancel') lifetime.cancel('interrupted');
        else throw unknownInterrupt(kind);
      }),
    ),
  );

  return {
    get hold() {
      if (graceful) return 'the run was interrupted';
      return queue.length > 0 ? STEERED_FIRST : undefined;
    },
    get graceful() {
      return graceful;
    },
    get steered() {
      return queue.length > 0;
    },
    takeSteering() {
      const taken = queue;
      queue = [];
      return taken;
    },
    interrupt() {
      graceful = true;
    },
    close() {
      forget?.();
      for (const subscription of subscriptions) {
        try {
          subscription?.unsubscribe();
        } catch (thrown) {
          logTeardown(lifetime.log, thrown);
        }
      }
    },
  };
}

function unknownInterrupt(kind: unknown): HooklineError {
  const given = typeof kind === 'string' ? JSON.stringify(kind) : `a ${typeof kind}`;
  return new HooklineError('INPUT_INVALID', `interrupt$ emitted ${given}; it accepts "cancel" and "graceful".`);
}

function reasonOf(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason;
  if (isError(reason) && propertyOf(reason, 'name') !== 'AbortError') return messageOf(reason);
  return typeof reason === 'string' ? messageOf(reason) : 'cancelled';
}
