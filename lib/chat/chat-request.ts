import { z } from 'zod';
import { type Message, messageSchema } from '../events/parts/message.ts';
import { type ToolResult, toolResultSchema } from '../events/parts/tool-result.ts';
import { type JsonObject, jsonObjectSchema } from '../events/values/json-value.ts';
import { type Refusal, refuse } from './refusal.ts';

/** A tool that the client runs. */
export interface ClientTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input, for the model. The client validates the input. */
  readonly inputSchema: JsonObject;
}

/** An answer to a pending call. */
export interface ChatAnswer {
  /** The id of the call, as it was shown. */
  readonly id: string;
  readonly approved: boolean;
  /** Reason for the model. */
  readonly reason?: string;
  /** Replaces the input that was shown. Hooks evaluate it again. */
  readonly input?: JsonObject;
}

/** A call that the client shows, and its result. */
export interface ClientResult {
  /** The id of the call on the wire. */
  readonly toolCallId: string;
  /** Absent while the call runs. */
  readonly result?: ToolResult;
}

/** A request of a client, independent of the protocol. */
export interface ChatRequest {
  readonly threadId: string;
  /** Identifies the request. A repeated request returns the run that the first one started, while it is active in this process. */
  readonly requestId?: string;
  /** The client's id of the last message, if it is a user message. It identifies the prompt of a turn that is repeated. */
  readonly promptId?: string;
  /** The conversation as the client sent it, oldest first. */
  readonly messages: readonly Message[];
  readonly tools?: readonly ClientTool[];
  readonly answers?: readonly ChatAnswer[];
  /** All calls of the posted conversation, oldest first. Only results of pending client calls count. */
  readonly results?: readonly ClientResult[];
  /** Repeats the last turn of the thread. The last message, if it is a user message, is the prompt of that turn. */
  readonly regenerate?: boolean;
}

export const clientToolSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputSchema: jsonObjectSchema,
});

const chatRequestSchema = z.strictObject({
  threadId: z.string().min(1, 'must not be empty').max(256),
  requestId: z.string().optional(),
  promptId: z.string().optional(),
  messages: z.array(messageSchema),
  tools: z.array(clientToolSchema).optional(),
  answers: z
    .array(
      z.strictObject({
        id: z.string(),
        approved: z.boolean(),
        reason: z.string().optional(),
        input: jsonObjectSchema.optional(),
      }),
    )
    .optional(),
  results: z.array(z.strictObject({ toolCallId: z.string(), result: toolResultSchema.exactOptional() })).optional(),
  regenerate: z.boolean().optional(),
});

/** Returns the request if it is valid, or a refusal that names the issues. */
export function checkRequest(given: ChatRequest): ChatRequest | Refusal {
  const parsed = chatRequestSchema.safeParse(given);
  if (parsed.success) return parsed.data as ChatRequest;
  return refuse(400, 'BODY_INVALID', `The request is invalid: ${z.prettifyError(parsed.error)}`);
}
