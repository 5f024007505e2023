import { z } from 'zod';

/** Why a model stopped. `responded`: a hook responded instead. `stopped`: a hook or an interrupt stopped it. */
export const finishReasonSchema = z.enum([
  'stop',
  'toolCalls',
  'length',
  'contentFilter',
  'responded',
  'stopped',
  'other',
]);

/** Returns true if the schema accepts the value. Faster than the schema. */
export function isFinishReason(value: FinishReason): boolean {
  return finishReasonSchema.options.includes(value);
}

/** Why the model stopped. */
export type FinishReason = z.infer<typeof finishReasonSchema>;
