import type { ChangesOf } from '../../events/decisions/event-rules.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { NoteInput } from '../../events/decisions/note.ts';
import type { GateEvent } from '../../events/hook-event.ts';
import { type Hit, scanNotes } from './scan-note.ts';

/** The event with what has changed (the event itself where nothing has) and with notes: those that are late, and one for each surface hit. */
export function notedEvent<E extends GateEvent>(
  event: E,
  changes: ChangesOf<E>,
  hits: readonly Hit[],
  late: readonly NoteInput[] = [],
): E {
  let next = event;
  const differs = Object.entries(changes).some(([key, value]) => value !== (event as Record<string, unknown>)[key]);
  if (differs) next = modify(event, changes);
  for (const note of [...late, ...scanNotes(hits)]) next = modify(next, {}, { note });
  return next;
}
