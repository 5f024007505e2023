import { z } from 'zod';
import { toolNameOption } from '../tool-name-option.ts';

/** The options of `todo` with their defaults. */
export const todoOptionsSchema = z.strictObject({
  name: z.string().min(1).default('todo').describe('Name of the hook.'),
  toolName: toolNameOption('write_todos', 'Name of the tool.'),
  remindAfter: z
    .int()
    .positive()
    .default(5)
    .describe('Number of model requests without a change after which the model sees the list again.'),
  finishFirst: z
    .int()
    .nonnegative()
    .max(8)
    .default(0)
    .describe('How often per run an answer with open items is sent back (0: never).'),
});

/** The options of `todo` before defaults; all are optional. */
export type TodoOptions = z.input<typeof todoOptionsSchema>;
