import { z } from 'zod';
import { assistantMessageSchema, messageSchema } from '../../events/parts/message.ts';
import { modelOptionsSchema } from '../../events/parts/model-options.ts';
import { toolCallSchema } from '../../events/parts/tool-call.ts';
import { toolDescriptionSchema } from '../../events/parts/tool-description.ts';
import { toolResultSchema } from '../../events/parts/tool-result.ts';

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
