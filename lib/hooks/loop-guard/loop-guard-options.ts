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
      .describe('After how many equal calls, or rounds of the same calls in turn, the model is warned.'),
    finishAt: z
      .int()
      .min(3)
      .max(100)
      .default(5)
      .describe('After how many of them the model answers once more, without tools.'),
    sameResult: z
      .boolean()
      .default(true)
      .describe('Whether calls are equal only if their results are. false also ends polling whose results change.'),
    counters: z
      .boolean()
      .default(true)
      .describe(
        'Whether calls with equal results are equal if they differ only by numbers or times that grow. Of tools that write or are external: only in fields that number an attempt, such as attempt, counter and timestamp, or where the call fails.',
      ),
    cycle: z.int().min(1).max(20).default(5).describe('How many different calls in turn can be a loop at most.'),
    except: z
      .array(z.string().min(1))
      .default([])
      .describe('Names of tools that may be called over and over; * and ? are wildcards.'),
  })
  .refine(({ warnAt, finishAt }) => warnAt < finishAt, { message: 'must be more than warnAt', path: ['finishAt'] });

/** The options of `loopGuard` as they are given; all may be left out. */
export type LoopGuardOptions = z.input<typeof loopGuardOptionsSchema>;
