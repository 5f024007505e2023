import { z } from 'zod';

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

/** How a run ended. */
export type CallOutcome = z.infer<typeof callOutcomeSchema>;
