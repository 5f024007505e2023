import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { withoutUserOption } from '../without-user.ts';

const names = z.array(z.string().min(1)).min(1);

/** One limit of `rate-limit`. */
export const limitSchema = z
  .strictObject({
    of: z
      .enum(['calls', 'reasonings', 'tokens'])
      .default('calls')
      .describe('What is counted: calls of tools, questions to the model, or the tokens that these use.'),
    tools: names
      .exactOptional()
      .describe('Of calls, those of these tools; * and ? are wildcards. Default: of all tools.'),
    per: z
      .array(z.enum(['tool', 'user', 'session', 'agent', 'run']))
      .default(['session'])
      .describe('Whose: each combination has a count of its own. [] is one count for all.'),
    withoutUser: withoutUserOption(),
    max: z.number().positive().describe('How many there may be in a window.'),
    windowMs: z.number().positive().default(60_000).describe('The length of the window, in milliseconds.'),
    algorithm: z
      .enum(['sliding', 'bucket'])
      .default('sliding')
      .describe('sliding: never more than max in any window. bucket: max a window on average, up to burst at once.'),
    burst: z.number().positive().exactOptional().describe('What a full bucket holds. Default: max.'),
    maxWaitMs: timerMs({ zero: true })
      .default(0)
      .describe('How long a call or question waits in line, in milliseconds, before it is refused.'),
  })
  .refine(({ of, tools, per }) => of === 'calls' || (!tools && !per.includes('tool')), {
    message: 'tools, and per tool, go with of: calls',
    path: ['tools'],
  })
  .refine(({ per, withoutUser }) => withoutUser === undefined || per.includes('user'), {
    message: 'goes with per: user',
    path: ['withoutUser'],
  })
  .refine(({ algorithm, burst }) => algorithm === 'bucket' || burst === undefined, {
    message: 'goes with algorithm: bucket',
    path: ['burst'],
  });

/** The options of `rateLimit` with their defaults. */
export const rateLimitOptionsSchema = z.strictObject({
  name: z.string().min(1).default('rate-limit').describe('Name of the hook.'),
  limits: z.array(limitSchema).min(1, 'needs at least one limit').describe('All of them hold.'),
});

/** The options of `rateLimit` as they are given. */
export type RateLimitOptions = z.input<typeof rateLimitOptionsSchema>;
/** A limit with its defaults. */
export type Limit = z.output<typeof limitSchema>;
