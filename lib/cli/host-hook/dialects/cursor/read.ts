import { z } from 'zod';
import { HooklineError } from '../../../../errors.ts';
import {
  type JsonObject,
  type JsonValue,
  jsonObjectSchema,
  jsonValueSchema,
} from '../../../../events/values/json-value.ts';
import { parseJson } from '../../../../events/values/parse-json.ts';
import { toHostCall } from '../../judge/host-call.ts';
import type { HostMoment } from '../../judge/host-moment.ts';
import { jsonInText, parsedFields } from '../event-fields.ts';
import { cursorTool, mcpName } from './tools.ts';

const object = jsonInText(jsonObjectSchema);
const calledFields = { tool_name: z.string().min(1), tool_input: object, tool_use_id: z.string().min(1).optional() };
type Called = z.infer<z.ZodObject<typeof calledFields>>;
const server = { url: z.string().optional(), command: z.string().optional() };
const file = { file_path: z.string().min(1), content: z.string() };

/** The events of Cursor that hooks evaluate. Other fields are ignored. */
const eventSchema = z.discriminatedUnion('hook_event_name', [
  z.looseObject({
    hook_event_name: z.literal('beforeShellExecution'),
    command: z.string().min(1),
    cwd: z.string().optional(),
  }),
  z.looseObject({ hook_event_name: z.literal('beforeMCPExecution'), ...calledFields, ...server }),
  z.looseObject({ hook_event_name: z.literal(['beforeReadFile', 'beforeTabFileRead']), ...file }),
  z.looseObject({ hook_event_name: z.literal('beforeSubmitPrompt'), prompt: z.string() }),
  z.looseObject({ hook_event_name: z.literal('preToolUse'), ...calledFields }),
  z.looseObject({ hook_event_name: z.literal('postToolUse'), ...calledFields, tool_output: jsonValueSchema }),
  z.looseObject({ hook_event_name: z.literal('postToolUseFailure'), ...calledFields, error_message: z.string() }),
  z.looseObject({
    hook_event_name: z.literal('subagentStart'),
    subagent_type: z.string().optional(),
    task: z.string().optional(),
  }),
  z.looseObject({ hook_event_name: z.literal(['stop', 'subagentStop']), loop_count: z.number().optional() }),
  z.looseObject({ hook_event_name: z.literal('sessionStart') }),
]);

const baseSchema = z.looseObject({
  conversation_id: z.string().min(1).optional(),
  session_id: z.string().min(1).optional(),
  workspace_roots: z.array(z.string()).optional(),
});

/** The events that hooks do not evaluate, because they repeat others or have no answer. */
const OTHERS = [
  ...['afterShellExecution', 'afterMCPExecution', 'afterFileEdit', 'afterTabFileEdit', 'afterAgentResponse'],
  ...['afterAgentThought', 'sessionEnd', 'preCompact', 'workspaceOpen'],
];

/** Reads an event of Cursor. Throws `INPUT_INVALID`. */
export function readCursor(raw: JsonObject): HostMoment {
  const name = raw['hook_event_name'];
  if (typeof name === 'string' && OTHERS.includes(name))
    return { kind: 'other', event: name, session: '', can: {}, raw };
  const event = parsedFields(eventSchema, raw);
  const { conversation_id, session_id, workspace_roots } = parsedFields(baseSchema, raw);
  const session = conversation_id ?? session_id;
  if (session === undefined) throw new HooklineError('INPUT_INVALID', 'it has no "conversation_id"');
  const root = workspace_roots?.[0] || undefined;
  const moment = { event: event.hook_event_name, session, cwd: root, raw };
  const use = (name: string, input: JsonObject, id?: string, as?: string) =>
    toHostCall('Cursor', { name, input, id }, cursorTool(name, input, { root, as }));
  const called = (of: Called, as?: string) => use(of.tool_name, of.tool_input, of.tool_use_id, as);
  switch (event.hook_event_name) {
    case 'beforeShellExecution': {
      const input = { command: event.command, ...(event.cwd && { working_directory: event.cwd }) };
      return { ...moment, kind: 'call', can: { ask: 'possible' }, use: use('Shell', input) };
    }
    case 'beforeMCPExecution': {
      const as = mcpName(event.tool_name, event.url ?? event.command);
      return { ...moment, kind: 'call', can: { ask: 'possible' }, use: called(event, as) };
    }
    case 'beforeReadFile':
    case 'beforeTabFileRead': {
      const { file_path, content } = event;
      return { ...moment, kind: 'call', can: {}, use: use('Read', { file_path }), known: content };
    }
    case 'preToolUse':
      return { ...moment, kind: 'call', can: { rewrite: 'silent' }, use: called(event) };
    case 'postToolUse': {
      const can = { replace: event.tool_name.startsWith('MCP:'), context: true };
      const value = parsedOutput(event.tool_output);
      return { ...moment, kind: 'result', can, use: called(event), value, failed: false };
    }
    case 'postToolUseFailure':
      return { ...moment, kind: 'result', can: {}, use: called(event), value: event.error_message, failed: true };
    case 'subagentStart': {
      const { subagent_type = 'unknown', task = '' } = event;
      return { ...moment, kind: 'call', can: {}, use: use('Task', { subagent_type, prompt: task }) };
    }
    case 'beforeSubmitPrompt':
      return { ...moment, kind: 'prompt', can: {}, prompt: event.prompt };
    case 'sessionStart':
      return { ...moment, kind: 'start', can: {} };
    default:
      return { ...moment, kind: 'stop', can: {}, text: '', again: (event.loop_count ?? 0) > 0 };
  }
}

function parsedOutput(output: JsonValue): JsonValue {
  const parsed = typeof output === 'string' ? parseJson(output) : undefined;
  return parsed === undefined ? output : parsed;
}
