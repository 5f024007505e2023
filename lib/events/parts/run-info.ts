import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';

/** The run of an event. `depth` is 0 for a top-level run and 1 for a sub-agent. `resumedFrom` is the id of the suspended run. */
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

/** The run of an event: its id, agent, session and user. */
export type RunInfo = { readonly [K in keyof z.infer<typeof runInfoFields>]: z.infer<typeof runInfoFields>[K] };

/** Schema of a `RunInfo`. */
export const runInfoSchema: z.ZodType<RunInfo> = runInfoFields;
