import { z } from 'zod';
import { callOutcomeSchema } from '../../../events/parts/call-outcome.ts';
import { usageSchema } from '../../../events/parts/usage.ts';

/** Sums of a run with its sub-agents. */
export const sumsSchema = z.strictObject({
  usage: usageSchema.exactOptional(),
  cost: z.strictObject({ amount: z.number().nonnegative(), currency: z.string() }).exactOptional(),
  refusals: z.int().positive().exactOptional(),
});

/** A run of a sub-agent, in the view of the run that started it. Its sums include its own sub-agents. */
export const subRunSchema = sumsSchema.extend({
  runId: z.string(),
  /** The run or sub-agent that started it. */
  parent: z.string(),
  agent: z.string(),
  state: z.enum(['running', 'suspended', 'ended']),
  outcome: callOutcomeSchema.exactOptional(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().exactOptional(),
  model: z.string().exactOptional(),
});

export type Sums = z.infer<typeof sumsSchema>;
export type SubRun = z.infer<typeof subRunSchema>;
