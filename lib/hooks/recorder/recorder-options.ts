import { z } from 'zod';
import type { Redactor } from '../../redaction/redactor.ts';

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
  redact: z
    .union(
      [z.boolean(), z.custom<Redactor>((value) => typeof (value as Redactor | null)?.stream === 'function')],
      'must be true, false or a redactor',
    )
    .default(true)
    .describe('Whether secrets are taken out of the recordings; a redactor of your own knows more of them.')
    .meta({ filesOnly: [false] }),
});

/** The options of `runRecorder` as they are given; all may be left out. */
export type RecorderOptions = z.input<typeof recorderOptionsSchema>;
