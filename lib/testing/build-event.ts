import { z } from 'zod';
import { HooklineError } from '../errors.ts';
import { type EventOf, type EventType, hookEventSchema } from '../events/hook-event.ts';
import { deepFreeze } from '../events/values/deep-freeze.ts';

const given = new WeakMap<object, object>();

/**
 * A frozen, valid event: `asked` laid over `rest`, run and iteration filled in. It remembers what it is `compared` by where it stands for
 * an expected one: what was asked for. A misfit throws `INPUT_INVALID`.
 */
export function buildEvent<T extends EventType>(
  asked: { type: T } & Partial<EventOf<T>>,
  rest: object,
  compared: object = asked,
): EventOf<T> {
  const run = { runId: 'run_1', sessionId: 'session_1', agent: 'agent', depth: 0 };
  const event = { run, iteration: asked.type === 'preCall' ? 0 : 1, ...rest, ...asked };
  const checked = hookEventSchema.safeParse(event);
  if (!checked.success) {
    throw new HooklineError(
      'INPUT_INVALID',
      `anEvent: the ${asked.type} does not fit: ${z.prettifyError(checked.error)}`,
    );
  }
  given.set(event, compared);
  return deepFreeze(event as unknown as EventOf<T>);
}

/** The fields that an expected event is compared by: those that its builder was asked for, or all that a plain object has. */
export function judgedCallOf(expected: object): object {
  return given.get(expected) ?? expected;
}
