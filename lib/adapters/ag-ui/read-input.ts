import { z } from 'zod';
import { callIdIn } from '../../chat/call-names.ts';
import type { ChatAnswer, ChatRequest } from '../../chat/chat-request.ts';
import { type Refusal, refuse } from '../../chat/refusal.ts';
import type { Message, MessagePart } from '../../events/parts/message.ts';
import type { ToolResult } from '../../events/parts/tool-result.ts';
import { type JsonObject, jsonObjectSchema } from '../../events/values/json-value.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import type { AgUiMessage } from './ag-ui-event.ts';

const id = z.string().min(1, 'must not be empty').max(256);

const sourceSchema = z.looseObject({ type: z.string(), value: z.string(), mimeType: z.string().optional() });
const contentPartSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  source: sourceSchema.optional(),
});
const messageSchema = z.looseObject({
  id: z.string(),
  role: z.string(),
  content: z.unknown().optional(),
  toolCallId: z.string().optional(),
  error: z.string().optional(),
  toolCalls: z
    .array(z.looseObject({ id, function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
    .optional(),
});
const inputSchema = z.looseObject({
  threadId: id,
  runId: id,
  messages: z.array(messageSchema),
  tools: z
    .array(z.looseObject({ name: z.string(), description: z.string().default(''), parameters: z.unknown().optional() }))
    .nullish(),
  resume: z
    .array(
      z.discriminatedUnion('status', [
        z.looseObject({
          interruptId: z.string(),
          status: z.literal('resolved'),
          payload: z.looseObject({
            approved: z.boolean(),
            reason: z.string().optional(),
            editedArgs: jsonObjectSchema.optional(),
          }),
        }),
        z.looseObject({ interruptId: z.string(), status: z.literal('cancelled') }),
      ]),
    )
    .nullish(),
});

type Posted = z.infer<typeof messageSchema>;

/** The request body of an AG-UI client. */
export interface AgUiInput {
  readonly runId: string;
  /** The messages as the client shows them. */
  readonly messages: readonly AgUiMessage[];
  readonly request: ChatRequest;
}

/** Validates a `RunAgentInput`. */
export function readInput(json: unknown): AgUiInput | Refusal {
  const parsed = inputSchema.safeParse(json);
  if (!parsed.success)
    return refuse(
      400,
      'BODY_INVALID',
      `The request body is not a valid RunAgentInput: ${z.prettifyError(parsed.error)}`,
    );
  const { threadId, runId, messages, tools, resume } = parsed.data;
  const names = new Map(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => [call.id, call.function.name])),
  );
  const read = messages.map((message) => toMessage(message, names));
  // Clients repeat a rejected message in each later request, so an earlier one is not an error.
  const issue = read.at(-1);
  if (typeof issue === 'string') return refuse(400, 'BODY_INVALID', issue);
  const request: ChatRequest = {
    threadId,
    requestId: JSON.stringify([runId, messages.length, messages.at(-1)?.id]),
    messages: read.filter((message) => typeof message === 'object'),
    tools: (tools ?? []).map(({ name, description, parameters }) => {
      const schema = jsonObjectSchema.safeParse(parameters);
      return { name, description, inputSchema: schema.success ? schema.data : { type: 'object' } };
    }),
    answers: (resume ?? []).map(toAnswer),
    results: messages.flatMap(({ role, toolCallId, toolCalls = [], ...content }) =>
      role === 'tool' && toolCallId !== undefined
        ? [{ toolCallId, result: resultIn(content) }]
        : toolCalls.map((call) => ({ toolCallId: call.id })),
    ),
  };
  return { runId, messages: messages as unknown as readonly AgUiMessage[], request };
}

type Entry = NonNullable<z.infer<typeof inputSchema>['resume']>[number];

function toAnswer(entry: Entry): ChatAnswer {
  if (entry.status === 'cancelled') return { id: entry.interruptId, approved: false };
  const { approved, reason, editedArgs } = entry.payload;
  return withoutUndefined({ id: entry.interruptId, approved, reason, input: editedArgs });
}

/** Converts a message. Returns `undefined` for messages that are only shown, and a string for an error. */
function toMessage(message: Posted, names: ReadonlyMap<string, string>): Message | string | undefined {
  const { role, content, toolCalls = [], toolCallId } = message;
  if (role === 'user') return userMessage(message);
  if (role === 'system' || role === 'developer') return { role: 'system', parts: textParts(content) };
  if (role === 'assistant') {
    const calls = toolCalls.map(({ id, function: { name, arguments: args } }): MessagePart => {
      return { type: 'toolCall', toolCall: { id: callIdIn(id), name, input: objectOf(args) } };
    });
    return { role, parts: [...textParts(content), ...calls] };
  }
  if (role !== 'tool' || toolCallId === undefined) return undefined;
  const about = { toolCallId: callIdIn(toolCallId), toolName: names.get(toolCallId) ?? 'unknown' };
  return { role, parts: [{ type: 'toolResult', ...about, result: resultIn(message) }] };
}

function resultIn({ content, error }: Pick<Posted, 'content' | 'error'>): ToolResult {
  return { content: error ?? textIn(content), isError: error !== undefined };
}

function userMessage({ id, content }: Posted): Message | string {
  if (typeof content === 'string') return { role: 'user', parts: [{ type: 'text', text: content }] };
  const parsed = z.array(contentPartSchema).safeParse(content);
  if (!parsed.success) return `The content of message ${JSON.stringify(id)} must be a string or a list of parts.`;
  const parts: MessagePart[] = [];
  for (const { type, text, source } of parsed.data) {
    if (type === 'text') parts.push({ type, text: text ?? '' });
    else {
      const url = source && urlOf(source);
      if (url === undefined)
        return `Message ${JSON.stringify(id)} has a part of type ${JSON.stringify(type)} with an unsupported source. Use data or an https: URL.`;
      parts.push({ type: 'media', url, ...(source?.mimeType !== undefined && { mediaType: source.mimeType }) });
    }
  }
  return { role: 'user', parts };
}

/** A `media:` URL would refer to the host's own store. */
function urlOf({ type, value, mimeType }: z.infer<typeof sourceSchema>): string | undefined {
  if (type === 'data') return `data:${mimeType ?? 'application/octet-stream'};base64,${value}`;
  return type === 'url' && /^(https|data):/i.test(value) ? value : undefined;
}

function textParts(content: unknown): MessagePart[] {
  const text = textIn(content);
  return text === '' ? [] : [{ type: 'text', text }];
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

function objectOf(json: string): JsonObject {
  try {
    const parsed = jsonObjectSchema.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}
