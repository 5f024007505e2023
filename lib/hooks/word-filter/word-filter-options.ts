import { z } from 'zod';

const action = (usual: 'off' | 'flag' | 'mask' | 'block', description: string) =>
  z.enum(['off', 'flag', 'mask', 'block']).default(usual).describe(description);

/** The options of `wordFilter` with their defaults. */
export const wordFilterOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('word-filter').describe('Name of the hook.'),
    words: z.array(z.string()).default([]).describe('Words and phrases to find. Case and width are ignored.'),
    files: z
      .array(z.string().min(1))
      .default([])
      .describe('Files with additional words, one per line. Lines that start with # are comments.')
      .meta({ local: true }),
    label: z
      .string()
      .min(1)
      .default('word')
      .describe('Label of the words in notes and reasons, which do not repeat the words.'),
    prompts: action(
      'mask',
      'Prompts and injected messages. flag: a note. mask: replaces the word. block: aborts the run.',
    ),
    answers: action(
      'mask',
      'Text and thinking of the model. flag: a note. mask: replaces the word. block: aborts the run.',
    ),
    results: action('mask', 'Tool results. flag: a note. mask: replaces the word. block: withholds the result.'),
    calls: action('off', 'Arguments of tool calls. flag: a note. mask: replaces the word. block: denies the call.'),
    mask: z.string().default('***').describe('Replacement of a word.'),
    wholeWords: z.boolean().default(true).describe('Matches only whole words, in scripts with spaces between words.'),
  })
  .refine(({ words, files }) => words.length + files.length > 0, {
    message: 'requires words or files',
    path: ['words'],
  })
  .refine(({ prompts, answers, results, calls }) => [prompts, answers, results, calls].some((one) => one !== 'off'), {
    message: 'has no effect, because prompts, answers, results and calls are all off',
    path: ['prompts'],
  });

/** The options of `wordFilter` before defaults. */
export type WordFilterOptions = z.input<typeof wordFilterOptionsSchema>;
/** The options with their defaults. */
export type WordFilterSettings = z.output<typeof wordFilterOptionsSchema>;
