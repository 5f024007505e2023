import { z } from 'zod';
import { HooklineError } from '../../../../errors.ts';
import { type JsonObject, jsonObjectSchema, jsonValueSchema } from '../../../../events/values/json-value.ts';
import { type HostTool, toHostCall } from '../../judge/host-call.ts';
import type { Effects, HostMoment } from '../../judge/host-moment.ts';
import { parsedFields, unknownEvent } from '../event-fields.ts';

const base = { session_id: z.string().min(1), cwd: z.string().optional(), agent_id: z.string().optional() };
const tool = { ...base, tool_name: z.string().min(1), tool_input: jsonObjectSchema };
const called = { ...tool, tool_use_id: z.string().min(1).optional() };

/** The events of Claude Code, and of hosts with the same events, that hooks evaluate. Other fields are ignored. */
const eventSchema = z.discriminatedUnion('hook_event_name', [
  z.looseObject({ hook_event_name: z.literal(['PreToolUse', 'PermissionRequest']), ...called }),
  z.looseObject({ hook_event_name: z.literal('PostToolUse'), ...called, tool_response: jsonValueSchema }),
  z.looseObject({ hook_event_name: z.literal('PostToolUseFailure'), ...called, error: z.string() }),
  z.looseObject({ hook_event_name: z.literal('UserPromptSubmit'), ...base, prompt: z.string() }),
  z.looseObject({ hook_event_name: z.literal('SessionStart'), ...base }),
  z.looseObject({
    hook_event_name: z.literal(['Stop', 'SubagentStop']),
    ...base,
    stop_hook_active: z.boolean().optional(),
    last_assistant_message: z.string().nullish(),
  }),
]);

/** The events of Claude Code that hooks evaluate. */
export type ClaudeEventName = z.infer<typeof eventSchema>['hook_event_name'];

const NAMES: ReadonlySet<unknown> = new Set(
  eventSchema.options.flatMap(({ shape }) => [...shape.hook_event_name.values]),
);

/** Returns whether hooks evaluate this event. */
export const isClaudeEvent = (name: unknown): name is ClaudeEventName => NAMES.has(name);

/** How a host differs from the events of Claude Code. */
export interface ClaudeLike {
  readonly title: string;
  readonly can: Readonly<Record<ClaudeEventName, Effects>>;
  /** Returns a tool of the host. Throws `INPUT_INVALID` if the fields that rules need are missing. */
  toolOf(name: string, input: JsonObject): HostTool;
  /** The events that hooks do not evaluate. Default: all unknown ones. */
  readonly others?: readonly string[];
}

/** Reads an event of Claude Code, or of a host with the same events. Throws `INPUT_INVALID`. */
export function readClaudeEvent(raw: JsonObject, { title, can, toolOf, others }: ClaudeLike): HostMoment {
  const name = raw['hook_event_name'];
  if (typeof name !== 'string') throw new HooklineError('INPUT_INVALID', 'it has no "hook_event_name"');
  if (!isClaudeEvent(name)) {
    if (others && !others.includes(name)) throw unknownEvent(name);
    return { kind: 'other', event: name.slice(0, 100), session: '', can: {}, raw };
  }
  const event = parsedFields(eventSchema, raw);
  const moment = {
    event: event.hook_event_name,
    session: event.session_id,
    cwd: event.cwd,
    agent: event.agent_id,
    can: can[event.hook_event_name],
    raw,
  };
  const use = (of: Pick<z.infer<(typeof eventSchema.options)[0]>, 'tool_name' | 'tool_input' | 'tool_use_id'>) =>
    toHostCall(
      title,
      { name: of.tool_name, input: of.tool_input, id: of.tool_use_id },
      toolOf(of.tool_name, of.tool_input),
    );
  switch (event.hook_event_name) {
    case 'PreToolUse':
    case 'PermissionRequest':
      return { ...moment, kind: 'call', use: use(event) };
    case 'PostToolUse':
      return { ...moment, kind: 'result', use: use(event), value: event.tool_response, failed: false };
    case 'PostToolUseFailure':
      return { ...moment, kind: 'result', use: use(event), value: event.error, failed: true };
    case 'UserPromptSubmit':
      return { ...moment, kind: 'prompt', prompt: event.prompt };
    case 'SessionStart':
      // The hooks are loaded, so their issues are reported at the start of the session.
      return { ...moment, kind: 'start' };
    default:
      return {
        ...moment,
        kind: 'stop',
        text: event.last_assistant_message ?? '',
        again: event.stop_hook_active ?? false,
      };
  }
}
