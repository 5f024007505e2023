import { z } from 'zod';
import { assistantMessageSchema, messageSchema } from '../events/message.ts';
import { modelOptionsSchema } from '../events/model-options.ts';
import { toolCallSchema } from '../events/tool-call.ts';
import { toolDescriptionSchema } from '../events/tool-description.ts';
import { toolResultSchema } from '../events/tool-result.ts';

/**
 * How each member that a hook may change is checked: as one value, or as a list item by item; `list` names a member that tells such
 * items from anything else that the engine has frozen. Keys are `type.member`.
 */
export const fieldSchemas: Readonly<Record<string, { readonly item: z.ZodType; readonly list?: string }>> = {
  'preCall.messages': { item: messageSchema, list: 'role' },
  'preReasoning.messages': { item: messageSchema, list: 'role' },
  'preReasoning.tools': { item: toolDescriptionSchema, list: 'inputSchema' },
  'preReasoning.model': { item: z.string().optional() },
  'preReasoning.options': { item: modelOptionsSchema },
  'reasoningChunk.delta': { item: z.string() },
  'postReasoning.message': { item: assistantMessageSchema },
  'preActing.toolCall': { item: toolCallSchema },
  'actingChunk.content': { item: z.string() },
  'postActing.result': { item: toolResultSchema },
  'postCall.message': { item: assistantMessageSchema },
};
