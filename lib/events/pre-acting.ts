import { z } from 'zod';
import { abortSchema, denySchema, respondWithResultSchema, suspendSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { toolCallSchema } from './parts/tool-call.ts';
import { permissionSchema } from './parts/tool-description.ts';

/**
 * A tool is about to run. Name and input of `toolCall` may be rewritten: that is executed, never remembered. `permission` and
 * `description` are the resolved tool's (an unknown tool is `external`). Only approvers suspend.
 */
export const preActingSchema = z.strictObject({
  type: z.literal('preActing'),
  ...eventBase,
  toolCall: toolCallSchema,
  permission: permissionSchema,
  description: z.string(),
  decision: z
    .discriminatedUnion('action', [respondWithResultSchema, suspendSchema, denySchema, abortSchema])
    .exactOptional(),
});

/** A tool is about to be called; hooks may change the call, respond in its place, deny it, or abort. */
export interface PreActing extends FrozenFields<typeof preActingSchema> {}
