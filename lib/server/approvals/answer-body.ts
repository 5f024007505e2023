import { z } from 'zod';
import { jsonObjectSchema } from '../../events/values/json-value.ts';

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the hash that GET /api/approvals shows')
  .describe('Of the call as it was shown.');

/** An answer to an approval. */
export const answerBodySchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('approve'),
    hash,
    input: jsonObjectSchema.exactOptional().describe('Runs instead of the input that was shown.'),
    reason: z.string().exactOptional(),
  }),
  z.strictObject({
    action: z.literal('deny'),
    hash,
    reason: z.string().exactOptional().describe('Told to the model.'),
  }),
]);

export type AnswerBody = z.infer<typeof answerBodySchema>;
