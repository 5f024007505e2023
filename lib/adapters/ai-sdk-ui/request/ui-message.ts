import { z } from 'zod';

const uiPartSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  mediaType: z.string().optional(),
  toolCallId: z.string().optional(),
  toolName: z.string().optional(),
  state: z.string().optional(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  errorText: z.string().optional(),
  approval: z
    .looseObject({ id: z.string(), approved: z.boolean().optional(), reason: z.string().optional() })
    .optional(),
});

/** Schema of a `useChat` message, with the fields that an agent uses. */
export const uiMessageSchema = z.looseObject({
  id: z.string(),
  role: z.enum(['system', 'user', 'assistant']),
  parts: z.array(uiPartSchema),
});

export type UiMessage = z.infer<typeof uiMessageSchema>;
/** A part of a message: a text, a file, or a tool call with its result. */
export type UiPart = z.infer<typeof uiPartSchema>;

/** Whether the URL of a file can be passed to a model. A `media:` URL would refer to the host's own store. */
export function isFileUrl(url: string | undefined): url is string {
  return url !== undefined && /^(data|https):/i.test(url);
}
