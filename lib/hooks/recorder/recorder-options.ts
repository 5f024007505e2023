import { z } from 'zod';
import { redactOption } from '../text/redact-option.ts';

/** The options of `runRecorder` with their defaults. */
export const recorderOptionsSchema = z.strictObject({
  name: z.string().min(1).default('recorder').describe('Name of the hook.'),
  folder: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'Directory of the recordings, one file per run (default: "recordings" in the state directory of the host).',
    )
    .meta({ local: true }),
  keep: z.int().positive().default(100).describe('Number of recordings to keep. The oldest are deleted first.'),
  maxBytes: z
    .int()
    .positive()
    .default(50_000_000)
    .describe('Maximum size of a recording in bytes. Later events are counted, not recorded.'),
  chunks: z.boolean().default(true).describe('Records streamed chunks.'),
  trace: z.boolean().default(true).describe('Records the effect of each hook on each event.'),
  redact: redactOption(' of the recordings'),
});

/** The options of `runRecorder` before defaults; all are optional. */
export type RecorderOptions = z.input<typeof recorderOptionsSchema>;
