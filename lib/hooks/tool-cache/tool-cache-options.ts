import { z } from 'zod';
import { permissionSchema } from '../../events/parts/tool-description.ts';

/** The options of `toolCache` with their defaults. */
export const toolCacheOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('tool-cache').describe('Name of the hook.'),
    tools: z
      .array(z.string().min(1))
      .min(1, 'needs at least one tool')
      .describe('Names of tools whose answers are kept; * and ? are wildcards. Only those that read are.'),
    ttlMs: z.number().positive().default(300_000).describe('How long an answer counts, in milliseconds.'),
    per: z
      .array(z.enum(['agent', 'user', 'session']))
      .default(['agent', 'user'])
      .describe(
        'Who gets the same answers: each combination has its own; without a user it is the session. [] is one for all.',
      ),
    forgetAfter: z
      .array(permissionSchema)
      .default(['write', 'external'])
      .describe('After calls of tools with these permissions, all answers of whoever made them are forgotten.'),
    maxAnswers: z.int().positive().default(1_000).describe('How many answers are kept at most.'),
    maxChars: z.int().positive().default(10_000_000).describe('How many characters of all answers are kept at most.'),
    maxAnswerChars: z.int().positive().default(100_000).describe('An answer of more characters is not kept.'),
  })
  .refine(({ maxChars, maxAnswerChars }) => maxAnswerChars <= maxChars, {
    message: 'must not be more than maxChars',
    path: ['maxAnswerChars'],
  })
  .refine(({ forgetAfter }) => !forgetAfter.includes('read'), {
    message: 'must not hold read: answers would be forgotten as soon as they are there',
    path: ['forgetAfter'],
  });

/** The options of `toolCache` as they are given. */
export type ToolCacheOptions = z.input<typeof toolCacheOptionsSchema>;
