import { z } from 'zod';
import { type Message, messageSchema } from '../events/parts/message.ts';
import { type ToolResult, toolResultSchema } from '../events/parts/tool-result.ts';
import { type JsonObject, jsonObjectSchema } from '../events/values/json-value.ts';

/** A tool that the client runs. */
export interface ClientTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input, for the model; the client checks what it gets. */
  readonly inputSchema: JsonObject;
}

/** An answer to a call that waits. */
export interface ChatAnswer {
  /** The id of the call, as it was shown. */
  readonly id: string;
  readonly approved: boolean;
  /** Told to the model. */
  readonly reason?: string;
  /** Runs instead of the input that was shown; hooks judge it anew. */
  readonly input?: JsonObject;
}

/** A call on the client's screen, and what it came to there. */
export interface ClientResult {
  /** As the wire names it. */
  readonly toolCallId: string;
  /** None: it is not over. */
  readonly result?: ToolResult;
}

/** What a client has posted, read from its wire. */
export interface ChatRequest {
  readonly threadId: string;
  /** Of the request: sent once more, it is given the run that it has begun, as long as that goes on here. */
  readonly requestId?: string;
  /** The conversation as the client tells it, the oldest first. */
  readonly messages: readonly Message[];
  readonly tools?: readonly ClientTool[];
  readonly answers?: readonly ChatAnswer[];
  /** All calls of the posted conversation, the oldest first; the results of those count that wait for the client. */
  readonly results?: readonly ClientResult[];
}

export const clientToolSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputSchema: jsonObjectSchema,
});

export const chatRequestSchema = z.strictObject({
  threadId: z.string().min(1, 'must not be empty').max(256),
  requestId: z.string().optional(),
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
});
