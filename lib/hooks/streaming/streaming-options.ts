import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';

/** What may be streamed: of the model its text, its thinking and the input of its calls, and what tools report. */
export const streamedParts = ['text', 'thinking', 'toolInput', 'toolProgress'] as const;

/** The options of `streaming` with their defaults. */
export const streamingOptionsSchema = z.strictObject({
  name: z.string().min(1).default('streaming').describe('Name of the hook.'),
  parts: z
    .array(z.enum(streamedParts))
    .min(1, 'needs at least one part')
    .default(['text'])
    .describe('What is streamed.'),
  mode: z
    .enum(['incremental', 'cumulative'])
    .default('incremental')
    .describe('incremental: each piece has what is new. cumulative: each has all text of its block so far.'),
  everyMs: timerMs({ zero: true })
    .default(0)
    .describe('Text of a block is joined for so long, in milliseconds; 0 sends each chunk at once.'),
  chars: z
    .int()
    .positive()
    .default(4_000)
    .describe('So much joined text is sent although the time is not over, in characters.'),
  agents: z
    .array(z.string().min(1))
    .min(1)
    .exactOptional()
    .describe('Of these agents; * and ? are wildcards. Default: of all, sub-agents too.'),
  maxWaitingChars: z
    .int()
    .positive()
    .default(1_000_000)
    .describe('How much text may wait for a slow sink, in characters; more is lost, and counted.'),
  flushMs: timerMs()
    .default(5_000)
    .describe('How long the end of a process waits for a slow sink at most, in milliseconds.'),
  file: z
    .string()
    .min(1)
    .exactOptional()
    .describe('A file that the pieces are added to, as lines of JSON. In code a function may take them instead.')
    .meta({ local: true, alone: true }),
});

/** The options of `streaming` as they are given. */
export type StreamingOptions = z.input<typeof streamingOptionsSchema>;
