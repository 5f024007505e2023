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
      .describe('Number of equal calls, or of repetitions of a sequence of calls, at which the model is warned.'),
    finishAt: z
      .int()
      .min(3)
      .max(100)
      .default(5)
      .describe('Number at which the model gives a last answer without tools.'),
    sameResult: z
      .boolean()
      .default(true)
      .describe('Compares results, too. false also ends polling with changing results.'),
    counters: z
      .boolean()
      .default(true)
      .describe(
        'Treats calls with equal results as equal if they differ only in growing numbers or times. For write and external tools, only fields such as attempt, counter and timestamp may differ, unless the call fails.',
      ),
    cycle: z.int().min(1).max(20).default(5).describe('Maximum length of a repeated sequence of calls.'),
    except: z
      .array(z.string().min(1))
      .default([])
      .describe('Tools that may be called repeatedly; * and ? are wildcards.'),
  })
  .refine(({ warnAt, finishAt }) => warnAt < finishAt, { message: 'must be greater than warnAt', path: ['finishAt'] });

/** The options of `loopGuard` before defaults; all are optional. */
export type LoopGuardOptions = z.input<typeof loopGuardOptionsSchema>;
