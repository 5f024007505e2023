import { z } from 'zod';
import { jsonObjectSchema } from '../../events/values/json-value.ts';

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the hash from GET /api/approvals')
  .describe('Hash of the call that was shown.');

export const answerBodySchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('approve'),
    hash,
    input: jsonObjectSchema.exactOptional().describe('Input that replaces the one that was shown.'),
    reason: z.string().exactOptional(),
  }),
  z.strictObject({
    action: z.literal('deny'),
    hash,
    reason: z.string().exactOptional().describe('Reason for the model.'),
  }),
]);

export type AnswerBody = z.infer<typeof answerBodySchema>;
