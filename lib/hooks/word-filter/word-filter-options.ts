import { z } from 'zod';

const action = (usual: 'off' | 'flag' | 'mask' | 'block', description: string) =>
  z.enum(['off', 'flag', 'mask', 'block']).default(usual).describe(description);

/** The options of `wordFilter` with their defaults. */
export const wordFilterOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('word-filter').describe('Name of the hook.'),
    words: z.array(z.string()).default([]).describe('Words and phrases; case and width make no difference.'),
    files: z
      .array(z.string().min(1))
      .default([])
      .describe('Files of further words, one a line; lines that begin with # are left out.')
      .meta({ local: true }),
    label: z
      .string()
      .min(1)
      .default('word')
      .describe('What notes and reasons call them; the words they do not repeat.'),
    prompts: action('mask', 'What users and hooks say. flag: a note. mask. block: the run is aborted.'),
    answers: action('mask', 'What the model says and thinks. flag: a note. mask. block: the run is aborted.'),
    results: action('mask', 'What tools say. flag: a note. mask. block: the result is withheld.'),
    calls: action('off', 'Arguments of tool calls. flag: a note. mask. block: the call is denied.'),
    mask: z.string().default('***').describe('What takes the place of a word.'),
    wholeWords: z
      .boolean()
      .default(true)
      .describe('Whether words end where letters do, in scripts that have spaces between words.'),
  })
  .refine(({ words, files }) => words.length + files.length > 0, { message: 'needs words or files', path: ['words'] })
  .refine(({ prompts, answers, results, calls }) => [prompts, answers, results, calls].some((one) => one !== 'off'), {
    message: 'has no effect: prompts, answers, results and calls are all off',
    path: ['prompts'],
  });

/** The options of `wordFilter` as they are given. */
export type WordFilterOptions = z.input<typeof wordFilterOptionsSchema>;
/** The options with their defaults. */
export type WordFilterSettings = z.output<typeof wordFilterOptionsSchema>;
