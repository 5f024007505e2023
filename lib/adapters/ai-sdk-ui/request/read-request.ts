import { z } from 'zod';
import type { ChatAnswer, ChatRequest, ClientTool } from '../../../chat/chat-request.ts';
import { type Refusal, refuse } from '../../../chat/refusal.ts';
import { jsonObjectSchema } from '../../../events/values/json-value.ts';
import { resultsOf, toMessages } from './to-messages.ts';
import { isFileUrl, type UiMessage, uiMessageSchema } from './ui-message.ts';

/** The request body of `useChat`. */
export interface PostedChat {
  readonly request: ChatRequest;
  /** The message that the reply continues, if any. */
  readonly messageId: string | undefined;
}

const answerSchema = z.strictObject({
  id: z.string(),
  approved: z.boolean(),
  reason: z.string().optional(),
  input: jsonObjectSchema.optional(),
});

const bodySchema = z.looseObject({
  id: z.string().min(1, 'must not be empty'),
  messages: z.array(uiMessageSchema).min(1, 'must not be empty'),
  trigger: z.string().optional(),
  messageId: z.string().nullish(),
  /** Answers in addition to those in the parts. They can edit the input. */
  approvals: z.array(answerSchema).optional(),
  /** Client tools, as assistant-ui sends them. */
  tools: z
    .record(z.string(), z.looseObject({ description: z.string().optional(), parameters: jsonObjectSchema }))
    .optional(),
});

/** Validates a request of `useChat`. `own` are the client tools that the host defines. */
export function readRequest(
  json: unknown,
  { own, trusted }: { readonly own: readonly ClientTool[]; readonly trusted: boolean },
): PostedChat | Refusal {
  const parsed = bodySchema.safeParse(json);
  if (!parsed.success)
    return refuse(400, 'BODY_INVALID', `The request body is invalid: ${z.prettifyError(parsed.error)}`);
  const { id: threadId, messages, trigger, messageId, approvals = [], tools: brought = {} } = parsed.data;
  const last = messages.at(-1) as UiMessage;
  // Clients repeat a rejected message in each later request, so a URL in an earlier message is not an error.
  const file = last.parts.findIndex(({ type, url }) => type === 'file' && !isFileUrl(url));
  if (file >= 0 && last.role === 'user') {
    const place = `messages[${messages.length - 1}].parts[${file}].url`;
    return refuse(
      400,
      'BODY_INVALID',
      `The request body is invalid: ✖ must start with data: or https:\n  → at ${place}`,
    );
  }
  const regenerate = trigger === 'regenerate-message';
  const edits = !regenerate && last.role === 'user' && messageId === last.id;
  if (edits && !trusted) {
    const what = 'Earlier messages cannot be edited, because the server stores the conversation. Send a new message.';
    return refuse(400, 'HISTORY_FIXED', what);
  }
  const answering = messages.findLast(({ role }) => role === 'assistant');
  const answers = new Map([...(answering ? answersOf(answering) : []), ...approvals].map((one) => [one.id, one]));
  const tools = [...own, ...Object.entries(brought).map(([name, tool]) => toTool(name, tool))];
  return {
    request: {
      threadId,
      // A request that edits the conversation may repeat a message, so it has no request id.
      ...(last.role === 'user' && !edits && !regenerate && { requestId: JSON.stringify([messages.length, last.id]) }),
      ...(last.role === 'user' && { promptId: last.id }),
      messages: toMessages(messages),
      tools,
      answers: regenerate ? [] : ([...answers.values()] as ChatAnswer[]),
      results: regenerate ? [] : messages.flatMap(resultsOf),
      ...(regenerate && { regenerate }),
    },
    messageId: !regenerate && last.role === 'assistant' ? last.id : undefined,
  };
}

function answersOf({ parts }: UiMessage): readonly z.infer<typeof answerSchema>[] {
  return parts.flatMap(({ state, approval }) => {
    if (state !== 'approval-responded' || approval?.approved === undefined) return [];
    const { id, approved, reason } = approval;
    return [{ id, approved, ...(reason !== undefined && { reason }) }];
  });
}

function toTool(
  name: string,
  tool: { description?: string | undefined; parameters: ClientTool['inputSchema'] },
): ClientTool {
  return { name, description: tool.description ?? '', inputSchema: tool.parameters };
}
