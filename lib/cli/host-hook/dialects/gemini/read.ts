import { z } from 'zod';
import { type JsonObject, jsonObjectSchema, jsonValueSchema } from '../../../../events/values/json-value.ts';
import { toHostCall } from '../../judge/host-call.ts';
import type { HostMoment } from '../../judge/host-moment.ts';
import { parsedFields } from '../event-fields.ts';
import { geminiTool, type McpContext } from './tools.ts';

const base = { session_id: z.string().min(1), cwd: z.string().optional() };
const mcp = z.looseObject({ server_name: z.string().min(1), tool_name: z.string().min(1) }).optional();
const called = { ...base, tool_name: z.string().min(1), tool_input: jsonObjectSchema, mcp_context: mcp };
const message = z.looseObject({ role: z.string(), content: jsonValueSchema });
const response = z.looseObject({ llmContent: jsonValueSchema.optional(), error: jsonValueSchema.optional() });
const candidate = z.looseObject({ content: z.looseObject({ parts: z.array(jsonValueSchema).optional() }).optional() });

/** The events of Gemini CLI that hooks evaluate. Other fields are ignored. */
const eventSchema = z.discriminatedUnion('hook_event_name', [
  z.looseObject({ hook_event_name: z.literal('BeforeTool'), ...called }),
  z.looseObject({ hook_event_name: z.literal('AfterTool'), ...called, tool_response: response }),
  z.looseObject({ hook_event_name: z.literal('BeforeAgent'), ...base, prompt: z.string() }),
  z.looseObject({
    hook_event_name: z.literal('AfterAgent'),
    ...base,
    prompt_response: z.string().nullish(),
    stop_hook_active: z.boolean().optional(),
  }),
  z.looseObject({
    hook_event_name: z.literal('BeforeModel'),
    ...base,
    llm_request: z.looseObject({ messages: z.array(message) }),
  }),
  z.looseObject({
    hook_event_name: z.literal('AfterModel'),
    ...base,
    llm_response: z.looseObject({ candidates: z.array(candidate) }),
  }),
  z.looseObject({ hook_event_name: z.literal('SessionStart'), ...base }),
]);

/** The events that hooks do not evaluate. */
const OTHERS = ['SessionEnd', 'PreCompress', 'Notification', 'BeforeToolSelection'];

/** Reads an event of Gemini CLI. Throws `INPUT_INVALID`. */
export function readGemini(raw: JsonObject): HostMoment {
  const name = raw['hook_event_name'];
  if (typeof name === 'string' && OTHERS.includes(name))
    return { kind: 'other', event: name, session: '', can: {}, raw };
  const event = parsedFields(eventSchema, raw);
  const moment = { event: event.hook_event_name, session: event.session_id, cwd: event.cwd, raw };
  const use = (name: string, input: JsonObject, mcp: McpContext | undefined) =>
    toHostCall('Gemini CLI', { name, input }, geminiTool(name, input, mcp, event.cwd));
  switch (event.hook_event_name) {
    case 'BeforeTool': {
      const can = { ask: 'possible', rewrite: 'silent', end: true } as const;
      return { ...moment, kind: 'call', can, use: use(event.tool_name, event.tool_input, event.mcp_context) };
    }
    case 'AfterTool': {
      const { error, llmContent } = event.tool_response;
      const can = { replace: true, context: true, end: true };
      return {
        ...moment,
        kind: 'result',
        can,
        use: use(event.tool_name, event.tool_input, event.mcp_context),
        value: llmContent ?? error ?? (event.tool_response as JsonObject),
        failed: error !== undefined && error !== null,
      };
    }
    case 'BeforeAgent':
      return { ...moment, kind: 'prompt', can: { context: true }, prompt: event.prompt };
    case 'AfterAgent': {
      const { prompt_response: text, stop_hook_active: again = false } = event;
      return { ...moment, kind: 'stop', can: { end: true }, text: text ?? '', again };
    }
    case 'BeforeModel':
      return {
        ...moment,
        kind: 'request',
        can: {},
        messages: event.llm_request.messages.map(({ role, content }) => ({
          role: roleOf(role),
          text: textOf(content),
        })),
      };
    case 'AfterModel': {
      const parts = event.llm_response.candidates.flatMap(({ content }) => content?.parts ?? []);
      return { ...moment, kind: 'answer', can: {}, text: parts.map(textOf).join('') };
    }
    default:
      return { ...moment, kind: 'start', can: {} };
  }
}

function roleOf(role: string): 'user' | 'assistant' | 'system' {
  return role === 'model' ? 'assistant' : role === 'system' ? 'system' : 'user';
}

type Json = z.infer<typeof jsonValueSchema>;

function textOf(content: Json): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  const text = typeof content === 'object' && content !== null ? (content as JsonObject)['text'] : undefined;
  return typeof text === 'string' ? text : '';
}
