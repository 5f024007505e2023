import type { ChangesOf } from '../../../events/decisions/event-rules.ts';
import { modify } from '../../../events/decisions/modify.ts';
import type { HookEvent } from '../../../events/hook-event.ts';
import type { Folded } from '../output/fold-outcomes.ts';

/** Returns the event with a note for each message of handlers for the user. */
export function withMessages<E extends HookEvent>(event: E, { messages }: Folded): E {
  return messages.reduce(
    (noted, message) => modify(noted, {} as ChangesOf<E>, { note: { code: 'system-message', message } }),
    event,
  );
}
