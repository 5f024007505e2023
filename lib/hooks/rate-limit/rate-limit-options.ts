import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { names } from '../name-options.ts';
import { withoutUserOption } from '../without-user.ts';

export const limitSchema = z
  .strictObject({
    of: z
      .enum(['calls', 'modelRequests', 'tokens'])
      .default('calls')
      .describe('What to count: tool calls, model requests, or the tokens of model requests.'),
    tools: names.exactOptional().describe('For calls: tools to count; * and ? are wildcards (default: all).'),
    per: z
      .array(z.enum(['tool', 'user', 'session', 'agent', 'run']))
      .default(['session'])
      .describe('Scope of a counter. Each combination has its own counter. [] is one counter for all.'),
    withoutUser: withoutUserOption(),
    max: z.number().positive().describe('Maximum per window.'),
    windowMs: z.number().positive().default(60_000).describe('Length of the window, in milliseconds.'),
    algorithm: z
      .enum(['sliding', 'bucket'])
      .default('sliding')
      .describe('sliding: at most max in any window. bucket: max per window on average, with bursts up to burst.'),
    burst: z.number().positive().exactOptional().describe('Size of the bucket (default: max).'),
    maxWaitMs: timerMs({ zero: true })
      .default(0)
      .describe('How long a call or model request waits in the queue, in milliseconds, before it is rejected.'),
  })
  .refine(({ of, tools, per }) => of === 'calls' || (!tools && !per.includes('tool')), {
    message: 'tools and per: tool require of: calls',
    path: ['tools'],
  })
  .refine(({ per, withoutUser }) => withoutUser === undefined || per.includes('user'), {
    message: 'requires per: user',
    path: ['withoutUser'],
  })
  .refine(({ algorithm, burst }) => algorithm === 'bucket' || burst === undefined, {
    message: 'requires algorithm: bucket',
    path: ['burst'],
  });

/** The options of `rateLimit` with their defaults. */
export const rateLimitOptionsSchema = z.strictObject({
  name: z.string().min(1).default('rate-limit').describe('Name of the hook.'),
  localShare: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('Share of each limit that this process may use while its store fails (default: 0, nothing is allowed).'),
  limits: z.array(limitSchema).min(1, 'must contain at least one limit').describe('Limits. All of them apply.'),
});

/** The options of `rateLimit` before defaults. */
export type RateLimitOptions = z.input<typeof rateLimitOptionsSchema>;
/** A limit with its defaults. */
export type Limit = z.output<typeof limitSchema>;
