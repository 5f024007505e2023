import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';

/** Whose step an event is. `depth` is 0 for a run of its own, 1 for a sub-agent's; `resumedFrom` is the suspended run's id. */
const runInfoFields = z.strictObject({
  runId: z.string(),
  sessionId: z.string(),
  userId: z.string().exactOptional(),
  agent: z.string(),
  parentRunId: z.string().exactOptional(),
  depth: z.int().nonnegative(),
  resumedFrom: z.string().exactOptional(),
  metadata: jsonObjectSchema.exactOptional(),
});

/** Which run an event belongs to: its id, agent, session and user. */
export type RunInfo = { readonly [K in keyof z.infer<typeof runInfoFields>]: z.infer<typeof runInfoFields>[K] };

/** Schema of a `RunInfo`. */
export const runInfoSchema: z.ZodType<RunInfo> = runInfoFields;
