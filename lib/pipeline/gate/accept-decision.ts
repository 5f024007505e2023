import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { isChunk } from '../../events/chunk-text.ts';
import {
  abortSchema,
  type DecisionAction,
  denySchema,
  finishSchema,
  respondWithMessageSchema,
  respondWithResultSchema,
  retryReasoningSchema,
  retryStepSchema,
} from '../../events/decisions/decision.ts';
import { eventRules } from '../../events/decisions/event-rules.ts';
import { type Note, noteSchema } from '../../events/decisions/note.ts';
import type { HookEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import { deepFreeze } from '../../events/values/deep-freeze.ts';
import type { Hook } from '../define/hook.ts';
import { checkToolCalls, stampOrigin } from './hook-messages.ts';

type Fields = Record<string, unknown>;
type AnyDecision = { readonly action: DecisionAction; readonly by?: string };

/** Decisions and notes that the engine has accepted from a hook. */
const stamped = new WeakSet<object>();
const notesSchema = z.array(noteSchema.partial({ by: true }));

/** Returns the new decision of a handler, checked, frozen and stamped with the hook. `undefined` if it returned the current one. */
export function acceptDecision(hook: Hook, event: HookEvent, returned: Fields): AnyDecision | undefined {
  const decision = returned['decision'] as { action?: unknown } | null | undefined;
  if (decision === undefined || decision === event.decision) return undefined;
  // Operators receive a copy of `event`: a stamped decision there comes from an earlier stage. In a gate, it comes from another event.
  if (isChunk(event) && decision && stamped.has(decision)) return undefined;
  const action = decision?.action;
  const allowed: readonly unknown[] = eventRules[event.type].decisions;
  if (!allowed.includes(action)) {
    const hint = action === 'suspend' ? ' Only approvers suspend: give the hook an `approve`.' : '';
    throw wrong(
      hook,
      event,
      `decided ${JSON.stringify(action)}; here a handler may decide ${allowed.join(', ') || 'nothing'}.${hint}`,
    );
  }
  const parsed = schemaFor(event, action as DecisionAction).safeParse(decision);
  if (!parsed.success) throw wrong(hook, event, `its decision is invalid: ${z.prettifyError(parsed.error)}`);
  const taken = parsed.data as AnyDecision & { message?: Message; messages?: readonly Message[] };
  const misfit = taken.message && checkToolCalls(event, taken.message);
  if (misfit !== undefined) throw wrong(hook, event, misfit);
  const injected = taken.messages && { messages: stampOrigin(hook.name, [], taken.messages) };
  const result = deepFreeze({ ...taken, ...injected, by: hook.name });
  stamped.add(result);
  return result;
}

/** Returns the new notes of a handler, stamped with the hook. */
export function acceptNotes(hook: Hook, event: HookEvent, returned: Fields): Note[] {
  const notes = returned['notes'];
  if (notes === undefined || notes === event.notes) return [];
  const given: unknown[] | undefined = Array.isArray(notes)
    ? notes.filter((note) => !event.notes?.includes(note))
    : undefined;
  // Operators forward the notes of earlier stages with the chunk.
  const earlier = isChunk(event) ? (given?.filter((note) => stamped.has(note as object)) as Note[] | undefined) : [];
  const parsed = notesSchema.safeParse(given?.filter((note) => !earlier?.includes(note as Note)));
  if (!earlier || !parsed.success) throw wrong(hook, event, 'its notes must be an array of { code, message, data? }.');
  const own = parsed.data.map((note): Note => ({ ...note, by: hook.name }));
  for (const note of own) stamped.add(note);
  return [...earlier, ...own];
}

function schemaFor(event: HookEvent, action: DecisionAction): z.ZodType {
  const acting = event.type === 'preActing' || (event.type === 'error' && event.phase === 'acting');
  if (action === 'respond') return acting ? respondWithResultSchema : respondWithMessageSchema;
  if (action === 'retry') return event.type === 'error' ? retryStepSchema : retryReasoningSchema;
  if (action === 'deny') return denySchema;
  return action === 'finish' ? finishSchema : abortSchema;
}

function wrong(hook: Hook, event: HookEvent, message: string): HooklineError {
  return new HooklineError('HOOK_CONTRACT', `Hook "${hook.name}" (${event.type}): ${message}`);
}
