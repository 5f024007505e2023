import { z } from 'zod';

/** The options of `structuredOutput` with their defaults, without the schema. */
export const structuredOutputOptionsSchema = z.strictObject({
  name: z.string().min(1).default('structured-output').describe('Name of the hook.'),
  mode: z
    .enum(['tool', 'format', 'prompt'])
    .default('tool')
    .describe(
      'How to request the answer: with a tool that the model must call, with the response format of the provider, or with an instruction only.',
    ),
  toolName: z
    .string()
    .regex(/^[a-zA-Z_][\w-]{0,63}$/, 'must be a name with only letters, digits, _ and -')
    .default('final_answer')
    .describe('Name of the tool.'),
  attempts: z.int().positive().max(20).default(3).describe('Maximum number of attempts for an answer.'),
});

/** The options of `structuredOutput` before defaults; all are optional. */
export type StructuredOutputOptions = z.input<typeof structuredOutputOptionsSchema>;
