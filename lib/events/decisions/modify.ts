import { checkFields } from '../../errors/check-fields.ts';
import { HooklineError } from '../../errors.ts';
import type { HookEvent } from '../hook-event.ts';
import { rememberChange } from './decisions-taken.ts';
import { type ChangesOf, eventRules } from './event-rules.ts';
import type { Note, NoteInput } from './note.ts';

/**
 * Returns a copy of `event` with `changes` and an optional note. Hooks can change only certain fields of each event type. Any other field is a
 * compile error, and throws `CHANGE_ILLEGAL` in plain JavaScript. So does the value `undefined`.
 */
export function modify<E extends HookEvent>(event: E, changes: ChangesOf<E>, options?: { note?: NoteInput }): E {
  const result: E = { ...event, ...changes };
  for (const key in changes) {
    assertLegal(event, key);
    if (result[key as keyof E] === undefined) throw undefinedChange(event, key);
  }
  if (options !== undefined) assertOptions(options);
  // The engine sets `by` when it receives the event.
  if (options?.note) return rememberChange(event, { ...result, notes: [...(event.notes ?? []), options.note as Note] });
  return rememberChange(event, result);
}

function assertOptions(options: object): void {
  const issue = checkFields(options, ['note']);
  if (issue !== undefined)
    throw new HooklineError('CHANGE_ILLEGAL', `modify(): the third argument, its options, ${issue}.`);
}

function assertLegal(event: HookEvent, key: string): void {
  const allowed: readonly string[] | undefined = eventRules[event?.type]?.changes;
  if (!allowed)
    throw new HooklineError('CHANGE_ILLEGAL', 'modify(): the first argument must be the event that the handler got.');
  if (allowed.includes(key)) return;
  const may = allowed.length ? `only ${allowed.join(', ')}` : 'nothing';
  throw new HooklineError(
    'CHANGE_ILLEGAL',
    `modify(): "${key}" of a ${event.type} event cannot be changed; a hook may change ${may} there.`,
  );
}

function undefinedChange(event: HookEvent, key: string): HooklineError {
  const message = `modify(): "${key}" of a ${event.type} event cannot be undefined. Leave "${key}" out to keep it as it is.`;
  return new HooklineError('CHANGE_ILLEGAL', message);
}
