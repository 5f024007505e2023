import { z } from 'zod';
import { permissionSchema } from '../../events/parts/tool-description.ts';

/** The options of `toolCache` with their defaults. */
export const toolCacheOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('tool-cache').describe('Name of the hook.'),
    tools: z
      .array(z.string().min(1))
      .min(1, 'must contain at least one tool')
      .describe('Tools whose results are cached, if they only read; * and ? are wildcards.'),
    ttlMs: z.number().positive().default(300_000).describe('Lifetime of a cached result, in milliseconds.'),
    per: z
      .array(z.enum(['agent', 'user', 'session']))
      .default(['agent', 'user'])
      .describe(
        'Scope of the cache. Each combination has its own; runs without a user use the session. [] is one cache for all.',
      ),
    forgetAfter: z
      .array(permissionSchema)
      .default(['write', 'external'])
      .describe('Calls of tools with these permissions clear all cached results of the same scope.'),
    maxAnswers: z.int().positive().default(1_000).describe('Maximum number of cached results.'),
    maxChars: z.int().positive().default(10_000_000).describe('Maximum number of characters of all cached results.'),
    maxAnswerChars: z
      .int()
      .positive()
      .default(100_000)
      .describe('Maximum number of characters of a cached result. Longer results are not cached.'),
  })
  .refine(({ maxChars, maxAnswerChars }) => maxAnswerChars <= maxChars, {
    message: 'must be at most maxChars',
    path: ['maxAnswerChars'],
  })
  .refine(({ forgetAfter }) => !forgetAfter.includes('read'), {
    message: 'must not contain read, because each read would clear the cache',
    path: ['forgetAfter'],
  });

/** The options of `toolCache` before defaults. */
export type ToolCacheOptions = z.input<typeof toolCacheOptionsSchema>;
