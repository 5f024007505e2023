import { z } from 'zod';
import { HooklineError } from '../errors.ts';
import { type EventOf, type EventType, hookEventSchema } from '../events/hook-event.ts';
import { deepFreeze } from '../events/values/deep-freeze.ts';

const given = new WeakMap<object, object>();

/**
 * Builds a frozen, valid event from `asked` over `rest`, with run and iteration. It stores `compared`, the fields for comparison as an expected
 * event. Invalid fields throw `INPUT_INVALID`.
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

/** Returns the fields that an expected event is compared by: those passed to its builder, or all fields of a plain object. */
export function judgedCallOf(expected: object): object {
  return given.get(expected) ?? expected;
}
