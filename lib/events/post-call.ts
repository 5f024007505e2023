import { z } from 'zod';
import { eventBase, type FrozenFields } from './event-base.ts';
import { messageSchema } from './parts/message.ts';
import { usageSchema } from './parts/usage.ts';
import { jsonObjectSchema } from './values/json-value.ts';

/** Schema of a `CallOutcome`. */
export const callOutcomeSchema = z.enum([
  'completed',
  'responded',
  'finished',
  'suspended',
  'exhausted',
  'aborted',
  'failed',
  'cancelled',
]);

/** A run is over. There is exactly one after each preCall. `reason` says why for aborted, failed and cancelled; `usage` is the run's total. */
export const postCallSchema = z.strictObject({
  type: z.literal('postCall'),
  ...eventBase,
  outcome: callOutcomeSchema,
  message: messageSchema.exactOptional(),
  reason: z.string().exactOptional(),
  usage: usageSchema.exactOptional(),
  snapshot: jsonObjectSchema.exactOptional(),
  decision: z.never().exactOptional(),
});

/** How a run ended. */
export type CallOutcome = z.infer<typeof callOutcomeSchema>;
/** The run has ended; hooks may change its last message. */
export interface PostCall extends FrozenFields<typeof postCallSchema> {}
