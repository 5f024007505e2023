import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { timerMs } from '../../events/values/timer-ms.ts';

const DAY_MS = 24 * 3_600_000;

/** The exchange of a run: the user's messages and the answer, redacted. */
export interface Exchange {
  readonly user: string;
  readonly answer: string;
  readonly run: RunInfo;
}

/** Returns the texts to remember from an exchange, as separate memories. An empty list remembers nothing. */
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
      .describe('Owner of the memories. Runs without a user always use only their own session.'),
    limit: z.int().positive().max(100).default(5).describe('Maximum number of recalled memories.'),
    maxTokens: z.int().positive().default(1_000).describe('Maximum number of tokens of all recalled memories.'),
    maxAgeMs: z
      .number()
      .positive()
      .default(365 * DAY_MS)
      .describe('Maximum age of a memory, in milliseconds (default: a year).'),
    maxChars: z
      .int()
      .positive()
      .max(5_000_000)
      .default(200_000)
      .describe('Maximum number of characters per user or session. The oldest memories are deleted first.'),
    maxMemoryChars: z
      .int()
      .min(200)
      .default(2_000)
      .describe(
        'Maximum number of characters of an exchange. Of a longer one, the beginning and the end of each side are kept.',
      ),
    waitMs: timerMs()
      .default(5_000)
      .describe('How long a model request waits for memories, in milliseconds. It then continues without them.'),
    extract: z
      .custom<Extract>((value) => typeof value === 'function', 'must be a function')
      .exactOptional()
      .describe('Selects what to remember of an exchange (default: both sides). Only in code.'),
  })
  .refine(({ maxChars, maxMemoryChars }) => maxMemoryChars <= maxChars, {
    path: ['maxMemoryChars'],
    message: 'must be at most maxChars',
  });

/** The options of `longTermMemory` before defaults; all are optional. */
export type LongTermMemoryOptions = z.input<typeof longTermMemoryOptionsSchema>;
/** The options with their defaults. */
export type MemorySettings = z.output<typeof longTermMemoryOptionsSchema>;
