import type { HookEvent } from '../../../events/hook-event.ts';
import type { ChangesOf } from '../../../events/legal.ts';
import { modify } from '../../../events/modify.ts';
import type { Folded } from '../output/fold-outcomes.ts';

/** The event with a note for each message that handlers have for the user. */
export function withMessages<E extends HookEvent>(event: E, { messages }: Folded): E {
  return messages.reduce(
    (noted, message) => modify(noted, {} as ChangesOf<E>, { note: { code: 'system-message', message } }),
    event,
  );
}
