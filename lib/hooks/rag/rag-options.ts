import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import type { Retriever } from './retriever.ts';

/** The options of a folder that passages are found in, with their defaults. */
export const folderOptionsSchema = z.strictObject({
  folder: z
    .string()
    .min(1)
    .exactOptional()
    .describe('The folder of text, Markdown and code that passages are found in. Default: the workspace of the host.')
    .meta({ local: true }),
  include: z
    .array(z.string().min(1))
    .default([])
    .describe('Only files that fit one of these patterns, written as in .gitignore. Default: all.'),
  exclude: z
    .array(z.string().min(1))
    .default(['.*', 'node_modules/'])
    .describe('Files and folders that are left out beside those of .gitignore, in the same patterns.'),
  maxFiles: z.int().positive().default(20_000).describe('So many files are taken at most.'),
  maxFileBytes: z.int().positive().default(1_000_000).describe('Larger files are left out.'),
  refreshMs: z
    .number()
    .nonnegative()
    .default(10_000)
    .describe('So long the folder is taken for unchanged after it was looked at.'),
});

/** The options of `rag` with their defaults. */
export const ragOptionsSchema = folderOptionsSchema
  .extend({
    name: z.string().min(1).default('rag').describe('Name of the hook.'),
    retriever: z
      .custom<Retriever>((value) => typeof value === 'function', 'must be a function')
      .exactOptional()
      .describe('Finds the passages in place of the folder. In code only.'),
    limit: z.int().positive().max(100).default(5).describe('So many passages are given at most.'),
    minScore: z.number().default(0).describe('Passages of a lower score are left out; the scale is the retriever’s.'),
    maxTokens: z.int().positive().default(2_000).describe('So many tokens all passages take together at most.'),
    waitMs: timerMs()
      .default(10_000)
      .describe('So long a question waits for its passages, the first one for the index too; then it goes on without.'),
  })
  .refine(({ folder, retriever }) => folder === undefined || retriever === undefined, {
    path: ['retriever'],
    message: 'takes the place of folder; give one of them',
  });

/** The options of `rag` as they are given; all may be left out where the host has a workspace. */
export type RagOptions = z.input<typeof ragOptionsSchema>;
/** The options of a folder with their defaults. */
export type FolderSettings = z.output<typeof folderOptionsSchema>;
