import { z } from 'zod';
import { abortSchema, finishSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { toolCallSchema } from './parts/tool-call.ts';
import { permissionSchema } from './parts/tool-description.ts';
import { toolResultSchema } from './parts/tool-result.ts';

/** How a call ended. `skipped` never started; `cancelled` did, and its effect is unknown. */
export const actingOutcomeSchema = z.enum(['executed', 'responded', 'denied', 'failed', 'skipped', 'cancelled']);

/** A call is over. Every call comes through here once, whatever became of it. `durationMs` is the tool's own time. */
export const postActingSchema = z.strictObject({
  type: z.literal('postActing'),
  ...eventBase,
  toolCall: toolCallSchema,
  permission: permissionSchema,
  result: toolResultSchema,
  outcome: actingOutcomeSchema,
  durationMs: z.number().nonnegative(),
  decision: z.discriminatedUnion('action', [finishSchema, abortSchema]).exactOptional(),
});

/** How a tool call ended. */
export type ActingOutcome = z.infer<typeof actingOutcomeSchema>;
/** A tool call has ended; hooks may change its result. */
export interface PostActing extends FrozenFields<typeof postActingSchema> {}
