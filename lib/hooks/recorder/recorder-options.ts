import { z } from 'zod';
import { redactOption } from '../text/redact-option.ts';

/** The options of `runRecorder` with their defaults. */
export const recorderOptionsSchema = z.strictObject({
  name: z.string().min(1).default('recorder').describe('Name of the hook.'),
  folder: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Where recordings are kept, a file for each run. Default: "recordings" in the state folder of the host.')
    .meta({ local: true }),
  keep: z.int().positive().default(100).describe('How many recordings are kept; the oldest go first.'),
  maxBytes: z
    .int()
    .positive()
    .default(50_000_000)
    .describe('How large a recording may get; what comes then is counted and left out.'),
  chunks: z.boolean().default(true).describe('Whether streamed chunks are recorded.'),
  trace: z.boolean().default(true).describe('Whether it is recorded what every hook did to each event.'),
  redact: redactOption(' of the recordings'),
});

/** The options of `runRecorder` as they are given; all may be left out. */
export type RecorderOptions = z.input<typeof recorderOptionsSchema>;
