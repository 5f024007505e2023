import { z } from 'zod';
import { nearestName } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';
import { isChunk } from '../../events/chunk-text.ts';
import { type DecisionAction, decisionStrictness } from '../../events/decisions/decision.ts';
import { wasDecided } from '../../events/decisions/decisions-taken.ts';
import { eventRules } from '../../events/decisions/event-rules.ts';
import type { Note } from '../../events/decisions/note.ts';
import type { EventType, HookEvent } from '../../events/hook-event.ts';
import { assistantMessageSchema, type Message, messageSchema } from '../../events/parts/message.ts';
import { modelOptionsSchema } from '../../events/parts/model-options.ts';
import { toolCallSchema } from '../../events/parts/tool-call.ts';
import { toolDescriptionSchema } from '../../events/parts/tool-description.ts';
import { toolResultSchema } from '../../events/parts/tool-result.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import { deepFreeze, freezeField, isDeepFrozen } from '../../events/values/deep-freeze.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { Hook } from '../define/hook.ts';
import { acceptDecision, acceptNotes } from './accept-decision.ts';
import { checkToolCalls, stampOrigin, withoutStaleMetadata } from './hook-messages.ts';

type Fields = Record<string, unknown>;

/**
 * Returns the event that results from `returned`, the answer of a handler to `event`. Takes only the fields that a hook may change, checked and
 * frozen, and the decision if it is stricter than the current one. Any other value throws `HOOK_CONTRACT`. `decidedElsewhere`: the handler returned
 * several chunks, and another one carries its decision.
 */
export function accept<E extends HookEvent>(hook: Hook, event: E, returned: unknown, decidedElsewhere = false): E {
  if (returned === undefined || returned === event) {
    if (!decidedElsewhere) assertNothingForgotten(hook, event, event);
    return event;
  }
  assertSameEvent(hook, event, returned);
  if (returned.decision === undefined && !decidedElsewhere)
    assertNothingForgotten(hook, event, returned as unknown as HookEvent);
  assertChangeable(hook, event, returned);
  const changes = acceptChanges(hook, event, returned);
  const remarks: Note[] = acceptNotes(hook, event, returned);
  if (event.type === 'preActing' && event.decision?.action === 'respond' && 'toolCall' in changes) {
    delete changes['toolCall'];
    remarks.push(note(hook, 'change-ignored', `hook "${event.decision.by}" has responded; the call is fixed`));
  }
  const decision = acceptDecision(hook, event, returned);
  if (decision && isNotStricter(decision.action, event.decision?.action)) {
    const message = `"${decision.action}" ignored: hook "${event.decision?.by}" has decided "${event.decision?.action}"`;
    remarks.push(note(hook, 'decision-ignored', message));
  } else if (decision) changes['decision'] = decision;
  if (remarks.length > 0) changes['notes'] = deepFreeze([...(event.notes ?? []), ...remarks]);
  if (Object.keys(changes).length === 0) return event;
  const next = { ...event, ...changes };
  return isChunk(event) ? next : Object.freeze(next);
}

/** Throws if a helper decided on the event but the handler did not return it. */
export function assertNothingForgotten(hook: Hook, event: HookEvent, returned: HookEvent): void {
  if (!wasDecided(event) && !wasDecided(returned)) return;
  throw contract(
    hook,
    event.type,
    'took a decision but did not return it. Helpers do not act by themselves: `return deny(event, ..)`.',
  );
}

/** Returns an error with the hook, the event and the problem of the return value. */
export function contract(hook: Hook, type: EventType, problem: string): HooklineError {
  return new HooklineError('HOOK_CONTRACT', `Hook "${hook.name}" (${type}): ${problem}`);
}

function isNotStricter(wanted: DecisionAction, current: DecisionAction | undefined): boolean {
  return current !== undefined && decisionStrictness[wanted] <= decisionStrictness[current];
}

function note(hook: Hook, code: string, message: string): Note {
  return { by: hook.name, code, message };
}

function assertSameEvent(hook: Hook, event: HookEvent, returned: unknown): asserts returned is Fields {
  if (typeof returned !== 'object' || returned === null) {
    const what = returned === null ? 'null' : `a ${typeof returned}`;
    throw contract(hook, event.type, `returned ${what} instead of the event or nothing.`);
  }
  const { type, run, toolCall } = returned as Fields & { run?: { runId?: unknown }; toolCall?: { id?: unknown } };
  if (type !== event.type) {
    const what = type === undefined ? 'something that is not an event' : `an event of type ${JSON.stringify(type)}`;
    const hint = 'Return the event that came in, or what modify() or a decision makes of it.';
    throw contract(hook, event.type, `returned ${what}. ${hint}`);
  }
  if (run !== event.run && run?.runId !== event.run.runId)
    throw contract(hook, event.type, 'returned an event of another run.');
  if ('toolCall' in event && toolCall?.id !== event.toolCall.id) {
    throw contract(hook, event.type, 'changed toolCall.id, which ties the call to its result. Keep it.');
  }
}

/** Fields that a hook may set on any event, and the field that `accumulate()` adds. */
const ALWAYS_ACCEPTED: readonly string[] = ['decision', 'notes', 'accumulated'];

/** Rejects other fields. A spread can contain anything, and ignoring a field could leave out a redacted text under a wrong name. */
function assertChangeable(hook: Hook, event: HookEvent, returned: Fields): void {
  const allowed: readonly string[] = eventRules[event.type].changes;
  for (const key of Object.keys(returned)) {
    if (allowed.includes(key) || ALWAYS_ACCEPTED.includes(key)) continue;
    if (sameValue((event as unknown as Fields)[key], returned[key])) continue;
    const near = nearestName(key, allowed);
    const hint = near === undefined ? '' : ` (did you mean "${near}"?)`;
    const may = allowed.length > 0 ? `only ${allowed.join(', ')}` : 'nothing';
    throw contract(hook, event.type, `changed "${key}"${hint}; a hook may change ${may} there.`);
  }
}

function sameValue(known: unknown, given: unknown): boolean {
  if (known === given) return true;
  if (typeof known !== 'object' || typeof given !== 'object' || known === null || given === null) return false;
  try {
    return canonicalJson(known as JsonValue) === canonicalJson(given as JsonValue);
  } catch {
    return false;
  }
}

function acceptChanges(hook: Hook, event: HookEvent, returned: Fields): Fields {
  const changes: Fields = {};
  for (const key of eventRules[event.type].changes as readonly string[]) {
    const value = returned[key];
    const before = (event as unknown as Fields)[key];
    if (value === before) continue;
    const parsed = parseField(hook, event.type, key, value, before);
    const misfit = key === 'message' ? checkToolCalls(event, parsed as Message) : undefined;
    if (misfit !== undefined) throw contract(hook, event.type, misfit);
    changes[key] = freezeField(settledField(hook, key, before, parsed));
  }
  return changes;
}

function settledField(hook: Hook, key: string, before: unknown, given: unknown): unknown {
  if (key === 'messages') return stampOrigin(hook.name, before as Message[], given as Message[]);
  return key === 'message' ? withoutStaleMetadata(before as Message | undefined, given as Message) : given;
}

function parseField(hook: Hook, type: EventType, key: string, value: unknown, before: unknown): unknown {
  const { list, item } = fieldSchemas[`${type}.${key}`] ?? {};
  const given = key === 'toolCall' ? asJson(hook, type, value) : value;
  const at = (path: readonly PropertyKey[]) => [key, ...path].join('.');
  const parse = (schema: z.ZodType | undefined, part: unknown, prefix: readonly PropertyKey[]): unknown => {
    // Values that the engine has frozen were checked before. A conversation is too long to check again for each event.
    if (list && typeof part === 'object' && part !== null && list in part && isDeepFrozen(part)) return part;
    const parsed = schema?.safeParse(part);
    if (!parsed?.success) {
      const problems = parsed?.error.issues.map((issue) => `${at([...prefix, ...issue.path])}: ${issue.message}`);
      throw contract(hook, type, `changed it to an invalid value. ${problems?.join('; ')}`);
    }
    return parsed.data;
  };
  if (!list) return parse(item, given, []);
  if (!Array.isArray(given)) throw contract(hook, type, `changed ${key} to something that is not an array.`);
  if (given.length > 0 && isDeepFrozen(given) && list in given[0]) return given;
  const known = before as readonly unknown[];
  let kept = 0;
  // Most items are those of before, in their order. Looking up each one takes long.
  return given.map((part, index) =>
    kept < known.length && part === known[kept] ? known[kept++] : parse(item, part, [index]),
  );
}

/** Rejects what is not JSON, because a schema reads a getter and continues with its value. */
function asJson(hook: Hook, type: EventType, value: unknown): unknown {
  try {
    return toJson(value, 'toolCall');
  } catch (thrown) {
    throw contract(hook, type, (thrown as Error).message);
  }
}

/**
 * Schemas of the fields that a hook can change, by `type.field`. A list is validated item by item. `list` names a field that distinguishes its
 * items from other values that the engine has frozen.
 */
const fieldSchemas: Readonly<Record<string, { readonly item: z.ZodType; readonly list?: string }>> = {
  'preCall.messages': { item: messageSchema, list: 'role' },
  'preReasoning.messages': { item: messageSchema, list: 'role' },
  'preReasoning.tools': { item: toolDescriptionSchema, list: 'inputSchema' },
  'preReasoning.model': { item: z.string().optional() },
  'preReasoning.options': { item: modelOptionsSchema },
  'reasoningChunk.delta': { item: z.string() },
  'postReasoning.message': { item: assistantMessageSchema },
  'preActing.toolCall': { item: toolCallSchema },
  'actingChunk.content': { item: z.string() },
  'postActing.result': { item: toolResultSchema },
  'postCall.message': { item: assistantMessageSchema },
};
