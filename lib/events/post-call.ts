import { z } from 'zod';
import { eventBase, type FrozenFields } from './event-base.ts';
import { callOutcomeSchema } from './parts/call-outcome.ts';
import { messageSchema } from './parts/message.ts';
import { usageSchema } from './parts/usage.ts';
import { jsonObjectSchema } from './values/json-value.ts';

/** A run has ended. Each `preCall` is followed by exactly one. `reason` is set for aborted, failed and cancelled runs. `usage` is the total. */
export const postCallSchema = z.strictObject({
  /** Event type. @example 'postCall' */
  type: z.literal('postCall'),
  ...eventBase,
  /** How the run ended. @example 'completed' */
  outcome: callOutcomeSchema,
  /** Last message of the run. @example assistantMessage('Done.') */
  message: messageSchema.exactOptional(),
  /** Reason, if the run was aborted, failed or was cancelled. @example 'no budget' */
  reason: z.string().exactOptional(),
  /** Token usage. @example { inputTokens: 120, outputTokens: 30 } */
  usage: usageSchema.exactOptional(),
  /** Snapshot of a suspended run, for `agent.resume`. @example agent.resume(event.snapshot, { c1: { approved: true } }) */
  snapshot: jsonObjectSchema.exactOptional(),
  /** Decision of a hook about this event, if any. @example { action: 'abort', reason: 'no budget', by: 'guard' } */
  decision: z.never().exactOptional(),
});

/** The run has ended. Hooks may change its last message. */
export interface PostCall extends FrozenFields<typeof postCallSchema> {}
