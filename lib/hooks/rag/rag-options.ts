import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import type { Retriever } from './retriever.ts';

/** The options of a searched folder with their defaults. */
export const folderOptionsSchema = z.strictObject({
  folder: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Directory of text, Markdown and code to search (default: the workspace of the host).')
    .meta({ local: true }),
  include: z.array(z.string().min(1)).default([]).describe('Files to search, as .gitignore patterns (default: all).'),
  exclude: z
    .array(z.string().min(1))
    .default(['.*', 'node_modules/'])
    .describe('Files and directories to exclude in addition to .gitignore, as .gitignore patterns.'),
  maxFiles: z.int().positive().default(20_000).describe('Maximum number of files.'),
  maxFileBytes: z
    .int()
    .positive()
    .default(1_000_000)
    .describe('Maximum size of a file in bytes. Larger files are skipped.'),
  refreshMs: z
    .number()
    .nonnegative()
    .default(10_000)
    .describe('Interval between checks of the directory for changes, in milliseconds.'),
});

/** The options of `rag` with their defaults. */
export const ragOptionsSchema = folderOptionsSchema
  .extend({
    name: z.string().min(1).default('rag').describe('Name of the hook.'),
    retriever: z
      .custom<Retriever>((value) => typeof value === 'function', 'must be a function')
      .exactOptional()
      .describe('Retriever that replaces the directory. Only in code.'),
    limit: z.int().positive().max(100).default(5).describe('Maximum number of passages.'),
    minScore: z.number().default(0).describe('Minimum score of a passage, on the scale of the retriever.'),
    maxTokens: z.int().positive().default(2_000).describe('Maximum number of tokens of all passages.'),
    waitMs: timerMs()
      .default(10_000)
      .describe(
        'How long a model request waits for passages, in milliseconds. It then continues without them. The first request also waits for the index.',
      ),
  })
  .refine(({ folder, retriever }) => folder === undefined || retriever === undefined, {
    path: ['retriever'],
    message: 'cannot be combined with folder',
  });

/** The options of `rag` before defaults; all are optional if the host has a workspace. */
export type RagOptions = z.input<typeof ragOptionsSchema>;
/** The options of a folder with their defaults. */
export type FolderSettings = z.output<typeof folderOptionsSchema>;
