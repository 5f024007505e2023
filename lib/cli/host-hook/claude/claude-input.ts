import { z } from 'zod';
import { HooklineError } from '../../../errors.ts';
import { jsonObjectSchema, jsonValueSchema } from '../../../events/values/json-value.ts';
import { isTooDeep, MOST_LEVELS } from './is-too-deep.ts';

const base = { session_id: z.string().min(1), cwd: z.string().optional(), agent_id: z.string().optional() };
const tool = { ...base, tool_name: z.string().min(1), tool_input: jsonObjectSchema };
const called = { ...tool, tool_use_id: z.string().min(1).optional(), turn_id: z.unknown().optional() };

/** Events of Claude Code that hooks evaluate, by `hook_event_name`. Other fields are ignored. */
const momentSchema = z.discriminatedUnion('hook_event_name', [
  z.looseObject({ hook_event_name: z.literal('PreToolUse'), ...called }),
  z.looseObject({ hook_event_name: z.literal('PermissionRequest'), ...tool }),
  z.looseObject({ hook_event_name: z.literal('PostToolUse'), ...called, tool_response: jsonValueSchema }),
  z.looseObject({ hook_event_name: z.literal('PostToolUseFailure'), ...called, error: z.string() }),
  z.looseObject({ hook_event_name: z.literal('UserPromptSubmit'), ...base, prompt: z.string() }),
  z.looseObject({ hook_event_name: z.literal('SessionStart'), ...base }),
  z.looseObject({
    hook_event_name: z.literal(['Stop', 'SubagentStop']),
    ...base,
    stop_hook_active: z.boolean().optional(),
    last_assistant_message: z.string().optional(),
  }),
]);

export type ClaudeMoment = z.infer<typeof momentSchema>;
export type MomentOf<N extends ClaudeMoment['hook_event_name']> = Extract<ClaudeMoment, { hook_event_name: N }>;

const NAMES: ReadonlySet<unknown> = new Set(
  momentSchema.options.flatMap(({ shape }) => [...shape.hook_event_name.values]),
);

/** An event that hooks do not evaluate. */
export interface OtherMoment {
  readonly hook_event_name: 'other';
  readonly name: string;
}

/** Parses an event of Claude Code. A validation error is `INPUT_INVALID`. */
export function readClaudeInput(text: string): ClaudeMoment | OtherMoment {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw invalid(`it is not JSON: ${(thrown as Error).message}`);
  }
  const name = (value as { hook_event_name?: unknown } | null)?.hook_event_name;
  if (typeof name !== 'string') throw invalid('it has no "hook_event_name"');
  if (isTooDeep(value)) throw invalid(`it is nested more than ${MOST_LEVELS} levels deep`);
  if (!NAMES.has(name)) return { hook_event_name: 'other', name: name.slice(0, 100) };
  const parsed = momentSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(z.prettifyError(parsed.error));
}

/** Parses an event with a known name. Other fields may be missing. */
export function namedMoment(text: string): ClaudeMoment | undefined {
  try {
    const value = JSON.parse(text);
    return NAMES.has(value?.hook_event_name) ? { ...value, tool_response: value.tool_response ?? '' } : undefined;
  } catch {
    return undefined;
  }
}

function invalid(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `The event is not an event of Claude Code: ${why}`);
}
