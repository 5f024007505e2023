import { z } from 'zod';
import { callOutcomeSchema } from '../../events/post-call.ts';

/** A run as the API shows it. */
export const runViewSchema = z.strictObject({
  runId: z.string(),
  /** As whoever started the run named it. */
  sessionId: z.string(),
  agent: z.string(),
  scope: z.string().exactOptional(),
  /** `suspended`: calls wait for an answer. */
  state: z.enum(['running', 'suspended', 'ended']),
  outcome: callOutcomeSchema.exactOptional(),
  reason: z.string().exactOptional(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().exactOptional(),
  resumedFrom: z.string().exactOptional(),
  /** The run that goes on where this one was suspended. */
  resumedBy: z.string().exactOptional(),
});

export type RunView = z.infer<typeof runViewSchema>;
