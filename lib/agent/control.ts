import type { Observable, Subscription } from 'rxjs';
import { isError, memberOf, messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import type { Message, MessageInput } from '../events/parts/message.ts';
import type { Lifetime } from '../pipeline/flow/lifetime.ts';
import { logTeardown } from '../pipeline/logger.ts';
import { checkMessage } from './check-message.ts';
import { onAbort } from './on-abort.ts';

/** How a run is interrupted: `cancel` stops at once, `graceful` gives one last reasoning without tools. */
export type Interrupt = 'cancel' | 'graceful';

/** What comes to a run from outside while it goes on. */
export interface Control {
  /** Why calls that have not started should not start any more, if so. */
  readonly hold: string | undefined;
  readonly graceful: boolean;
  readonly steered: boolean;
  /** The messages that have come since it was last asked. */
  takeSteering(): readonly Message[];
  close(): void;
}

/** What can be done to a run while it goes on: cancel, steer, interrupt. */
export interface ControlOptions {
  readonly signal?: AbortSignal;
  /** Messages that enter before the next reasoning. */
  readonly steering$?: Observable<MessageInput>;
  readonly interrupt$?: Observable<Interrupt>;
}

/** Listens to whatever steers a run, until `close`. `onFault` is told when a stream fails, or gives what is not to be used. */
export function createControl(
  options: ControlOptions,
  lifetime: Lifetime,
  onFault: (thrown: unknown) => void,
): Control {
  const { signal, steering$, interrupt$ } = options;
  let queue: Message[] = [];
  let graceful = false;
  const subscriptions: (Subscription | undefined)[] = [];

  const forget = signal && onAbort(signal, () => lifetime.cancel(reasonOf(signal)));
  // Thrown in a stream's own call it would be anybody's, or the process's.
  const orFault = <T>(take: (value: T) => void) => ({
    next(value: T) {
      try {
        take(value);
      } catch (thrown) {
        onFault(thrown);
      }
    },
    error: onFault,
  });
  subscriptions.push(
    steering$?.subscribe(orFault((input) => void queue.push(checkMessage(input, 'What steering$ gave')))),
    interrupt$?.subscribe(
      orFault((kind) => {
        if (kind === 'graceful') graceful = true;
        else if (kind === 'cancel') lifetime.cancel('interrupted');
        else throw unknownInterrupt(kind);
      }),
    ),
  );

  return {
    get hold() {
      if (graceful) return 'the run was interrupted';
      return queue.length > 0 ? 'the user has sent another message first' : undefined;
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
  return new HooklineError('INPUT_INVALID', `interrupt$ gave ${given}; it takes "cancel" and "graceful".`);
}

function reasonOf(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason;
  if (isError(reason) && memberOf(reason, 'name') !== 'AbortError') return messageOf(reason);
  return typeof reason === 'string' ? messageOf(reason) : 'cancelled';
}
