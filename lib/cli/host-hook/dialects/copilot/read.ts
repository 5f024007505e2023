import { z } from 'zod';
import { HooklineError } from '../../../../errors.ts';
import { type JsonObject, jsonObjectSchema, jsonValueSchema } from '../../../../events/values/json-value.ts';
import { toHostCall } from '../../judge/host-call.ts';
import type { HostMoment } from '../../judge/host-moment.ts';
import { jsonInText, parsedFields, unknownEvent } from '../event-fields.ts';
import { copilotTool } from './tools.ts';

const input = jsonInText(jsonObjectSchema);

/** The fields of an event. Copilot spells them as the settings spell the event: `PreToolUse` or `preToolUse`. */
const schema = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().optional(),
  tool_name: z.string().min(1).optional(),
  tool_input: input.optional(),
  tool_result: jsonValueSchema.optional(),
  prompt: z.string().optional(),
  error: jsonValueSchema.optional(),
  stop_hook_active: z.boolean().optional(),
});

const SNAKE: Readonly<Record<string, string>> = {
  sessionId: 'session_id',
  toolName: 'tool_name',
  toolArgs: 'tool_input',
  toolInput: 'tool_input',
  toolResult: 'tool_result',
};

/** Events by their names without case. Those without a kind are not evaluated. */
const KINDS: Readonly<
  Record<string, 'call' | 'request' | 'result' | 'failure' | 'prompt' | 'stop' | 'start' | 'other'>
> = {
  pretooluse: 'call',
  permissionrequest: 'request',
  posttooluse: 'result',
  posttoolusefailure: 'failure',
  userpromptsubmit: 'prompt',
  userpromptsubmitted: 'prompt',
  stop: 'stop',
  agentstop: 'stop',
  subagentstop: 'stop',
  sessionstart: 'start',
  subagentstart: 'other',
  sessionend: 'other',
  erroroccurred: 'other',
  precompact: 'other',
  notification: 'other',
};

/** Reads an event of Copilot, in either spelling. Throws `INPUT_INVALID`. */
export function readCopilot(raw: JsonObject): HostMoment {
  const name = eventOf(raw);
  const kind = KINDS[name.toLowerCase()];
  if (kind === undefined) throw unknownEvent(name);
  if (kind === 'other') return { kind, event: name, session: '', can: {}, raw };
  const fields = Object.fromEntries(Object.entries(raw).map(([key, value]) => [SNAKE[key] ?? key, value]));
  const event = parsedFields(schema, fields);
  const moment = { event: name, session: event.session_id, cwd: event.cwd, raw };
  const required = <T>(value: T | undefined, field: string): T => {
    if (value === undefined) throw new HooklineError('INPUT_INVALID', `the event ${name} has no "${field}"`);
    return value;
  };
  const use = () => {
    const tool = required(event.tool_name, 'tool_name');
    const given = required(event.tool_input, 'tool_input');
    return toHostCall('Copilot', { name: tool, input: given }, copilotTool(tool, given));
  };
  switch (kind) {
    case 'call':
      return { ...moment, kind, can: { ask: 'possible', rewrite: 'silent' }, use: use() };
    case 'request':
      return { ...moment, kind: 'call', can: { ask: 'always', end: true }, use: use() };
    case 'result': {
      const value = resultText(required(event.tool_result, 'tool_result'));
      return { ...moment, kind, can: { replace: true, context: true }, use: use(), value, failed: false };
    }
    case 'failure':
      return { ...moment, kind: 'result', can: {}, use: use(), value: event.error ?? '', failed: true };
    case 'prompt':
      return { ...moment, kind, can: {}, prompt: required(event.prompt, 'prompt') };
    case 'stop':
      return { ...moment, kind, can: {}, text: '', again: event.stop_hook_active ?? false };
    default:
      return { ...moment, kind: 'start', can: {} };
  }
}

/** Events in camel case do not have their name. */
export function eventOf(raw: JsonObject): string {
  const name = raw['hook_event_name'] ?? raw['hookEventName'];
  if (typeof name === 'string') return name;
  if ('toolResult' in raw) return 'postToolUse';
  if ('toolArgs' in raw) return 'preToolUse';
  if ('toolInput' in raw) return 'permissionRequest';
  if ('prompt' in raw) return 'userPromptSubmitted';
  throw new HooklineError('INPUT_INVALID', 'it has no "hook_event_name", and its fields belong to no known event');
}

type Json = z.infer<typeof jsonValueSchema>;

function resultText(result: Json): Json {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  const { text_result_for_llm: snake, textResultForLlm: camel } = result as JsonObject;
  return snake ?? camel ?? result;
}
