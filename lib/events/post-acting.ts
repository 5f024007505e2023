import { z } from 'zod';
import { abortSchema, finishSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { toolCallSchema } from './parts/tool-call.ts';
import { permissionSchema } from './parts/tool-description.ts';
import { toolResultSchema } from './parts/tool-result.ts';

/** How a call ended. A `skipped` call never started. A `cancelled` call started, and its effect is unknown. */
export const actingOutcomeSchema = z.enum(['executed', 'responded', 'denied', 'failed', 'skipped', 'cancelled']);

/** A tool call has ended. Every call has exactly one such event, also a denied or skipped one. `durationMs` is the time of the tool only. */
export const postActingSchema = z.strictObject({
  /** Event type. @example 'postActing' */
  type: z.literal('postActing'),
  ...eventBase,
  /** The tool call. @example { id: 'c1', name: 'read_file', input: { path: 'a.txt' } } */
  toolCall: toolCallSchema,
  /** Permission of the tool. @example 'write' */
  permission: permissionSchema,
  /** Result of the call. @example { content: 'ok', isError: false } */
  result: toolResultSchema,
  /** How the call ended. @example 'executed' */
  outcome: actingOutcomeSchema,
  /** Time of the tool, in milliseconds. @example 12 */
  durationMs: z.number().nonnegative(),
  /** Decision of a hook about this event, if any. @example { action: 'abort', reason: 'no budget', by: 'guard' } */
  decision: z.discriminatedUnion('action', [finishSchema, abortSchema]).exactOptional(),
});

/** How a tool call ended. */
export type ActingOutcome = z.infer<typeof actingOutcomeSchema>;
/** A tool call has ended. Hooks may change its result. */
export interface PostActing extends FrozenFields<typeof postActingSchema> {}
