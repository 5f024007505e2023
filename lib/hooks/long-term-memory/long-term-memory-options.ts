import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { timerMs } from '../../events/values/timer-ms.ts';

const DAY_MS = 24 * 3_600_000;

/** What was said in a run: the words of the user, and the answer. Secrets are taken out. */
export interface Exchange {
  readonly user: string;
  readonly answer: string;
  readonly run: RunInfo;
}

/** Says what of an exchange is remembered, each text by itself; an empty list for nothing. */
export type Extract = (
  exchange: Exchange,
) => readonly string[] | Promise<readonly string[]> | Observable<readonly string[]>;

/** The options of `longTermMemory` with their defaults. */
export const longTermMemoryOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('long-term-memory').describe('Name of the hook.'),
    per: z
      .enum(['user', 'session'])
      .default('user')
      .describe('Whose the memories are. Runs without a user remember their own session alone in any case.'),
    limit: z.int().positive().max(100).default(5).describe('So many memories are recalled at most.'),
    maxTokens: z.int().positive().default(1_000).describe('So many tokens they take together at most.'),
    maxAgeMs: z
      .number()
      .positive()
      .default(365 * DAY_MS)
      .describe('Older memories are forgotten. Default: a year.'),
    maxChars: z
      .int()
      .positive()
      .max(5_000_000)
      .default(200_000)
      .describe('So many characters are kept for each user or session; the oldest memories go first.'),
    maxMemoryChars: z
      .int()
      .min(200)
      .default(2_000)
      .describe('Of a longer exchange the beginning and the end of what each side said are kept.'),
    waitMs: timerMs().default(5_000).describe('So long a question waits for its memories; then it goes on without.'),
    extract: z
      .custom<Extract>((value) => typeof value === 'function', 'must be a function')
      .exactOptional()
      .describe('Says what of an exchange is remembered. Default: what both sides said. In code only.'),
  })
  .refine(({ maxChars, maxMemoryChars }) => maxMemoryChars <= maxChars, {
    path: ['maxMemoryChars'],
    message: 'must not be more than maxChars',
  });

/** The options of `longTermMemory` as they are given; all may be left out. */
export type LongTermMemoryOptions = z.input<typeof longTermMemoryOptionsSchema>;
/** The options with their defaults. */
export type MemorySettings = z.output<typeof longTermMemoryOptionsSchema>;
