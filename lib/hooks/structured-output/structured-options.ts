import { z } from 'zod';

/** The options of `structuredOutput` beside the schema, with their defaults. */
export const structuredOutputOptionsSchema = z.strictObject({
  name: z.string().min(1).default('structured-output').describe('Name of the hook.'),
  mode: z
    .enum(['tool', 'format', 'prompt'])
    .default('tool')
    .describe(
      'How the model is asked: by a tool that it has to call, by its own response format, or by an instruction alone.',
    ),
  toolName: z
    .string()
    .regex(/^[a-zA-Z_][\w-]{0,63}$/, 'must be a name of letters, digits, _ and -')
    .default('final_answer')
    .describe('The name of that tool.'),
  attempts: z.int().positive().max(20).default(3).describe('How often the model is asked at most for one answer.'),
});

/** The options of `structuredOutput` as they are given; all may be left out. */
export type StructuredOutputOptions = z.input<typeof structuredOutputOptionsSchema>;
