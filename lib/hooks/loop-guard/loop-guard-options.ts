import { z } from 'zod';

/** The options of `loopGuard` with their defaults. */
export const loopGuardOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('loop-guard').describe('Name of the hook.'),
    warnAt: z
      .int()
      .min(2)
      .max(100)
      .default(3)
      .describe('So many times the same call, or the same two calls, and the model is warned.'),
    finishAt: z
      .int()
      .min(3)
      .max(100)
      .default(5)
      .describe('So many times, and the model answers once more, without tools.'),
    sameResult: z
      .boolean()
      .default(false)
      .describe('Whether calls are the same only if their results are the same too.'),
    except: z
      .array(z.string().min(1))
      .default([])
      .describe('Names of tools that may be called over and over; * and ? are wildcards.'),
  })
  .refine(({ warnAt, finishAt }) => warnAt < finishAt, { message: 'must be more than warnAt', path: ['finishAt'] });

/** The options of `loopGuard` as they are given; all may be left out. */
export type LoopGuardOptions = z.input<typeof loopGuardOptionsSchema>;
