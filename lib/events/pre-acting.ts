import { z } from 'zod';
import { abortSchema, denySchema, respondWithResultSchema, suspendSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { toolCallSchema } from './parts/tool-call.ts';
import { permissionSchema } from './parts/tool-description.ts';

/**
 * A tool is about to run. Hooks may rewrite the name and the input of `toolCall`: the tool receives the change, the transcript does not.
 * `permission` and `description` are those of the tool. An unknown tool is `external`. Only approvers suspend.
 */
export const preActingSchema = z.strictObject({
  /** Event type. @example 'preActing' */
  type: z.literal('preActing'),
  ...eventBase,
  /** The tool call. @example { id: 'c1', name: 'read_file', input: { path: 'a.txt' } } */
  toolCall: toolCallSchema,
  /** Permission of the tool. @example 'write' */
  permission: permissionSchema,
  /** Description of the tool. @example 'Reads a file.' */
  description: z.string(),
  /** Decision of a hook about this event, if any. @example { action: 'abort', reason: 'no budget', by: 'guard' } */
  decision: z
    .discriminatedUnion('action', [respondWithResultSchema, suspendSchema, denySchema, abortSchema])
    .exactOptional(),
});

/** A tool is about to run. Hooks may change the call, respond instead, deny it, or abort. */
export interface PreActing extends FrozenFields<typeof preActingSchema> {}
