import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { names } from '../name-options.ts';

/** The streamed parts: the model's text, thinking and call inputs, and the progress of tools. */
export const streamedParts = ['text', 'thinking', 'toolInput', 'toolProgress'] as const;

/** The options of `streaming` with their defaults. */
export const streamingOptionsSchema = z.strictObject({
  name: z.string().min(1).default('streaming').describe('Name of the hook.'),
  parts: z
    .array(z.enum(streamedParts))
    .min(1, 'must contain at least one part')
    .default(['text'])
    .describe('What to stream.'),
  mode: z
    .enum(['incremental', 'cumulative'])
    .default('incremental')
    .describe(
      'incremental: each piece contains the new text. cumulative: each piece contains all text of its block so far.',
    ),
  everyMs: timerMs({ zero: true })
    .default(0)
    .describe('How long text of a block is joined, in milliseconds. 0 sends each chunk immediately.'),
  chars: z.int().positive().default(4_000).describe('Number of joined characters that are sent before the time ends.'),
  agents: names.exactOptional().describe('Agents to stream; * and ? are wildcards (default: all, with sub-agents).'),
  maxWaitingChars: z
    .int()
    .positive()
    .default(1_000_000)
    .describe('Maximum number of characters that are queued for a slow sink. Further text is dropped and counted.'),
  flushMs: timerMs()
    .default(5_000)
    .describe('How long the process waits for a slow sink when it ends, in milliseconds.'),
  file: z
    .string()
    .min(1)
    .exactOptional()
    .describe('File to append the pieces to, as JSON Lines. In code, a function can receive them instead.')
    .meta({ local: true, alone: true }),
});

/** The options of `streaming` before defaults. */
export type StreamingOptions = z.input<typeof streamingOptionsSchema>;
