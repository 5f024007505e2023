import { z } from 'zod';
import { toolNameOption } from '../tool-name-option.ts';

/** The options of `todo` with their defaults. */
export const todoOptionsSchema = z.strictObject({
  name: z.string().min(1).default('todo').describe('Name of the hook.'),
  toolName: toolNameOption('write_todos', 'The name of the tool.'),
  remindAfter: z
    .int()
    .positive()
    .default(5)
    .describe('After so many questions to the model without a change of the list it is shown the list.'),
  finishFirst: z
    .int()
    .nonnegative()
    .max(8)
    .default(0)
    .describe('How often in a run an answer that comes with items open is sent back. 0: never.'),
});

/** The options of `todo` as they are given; all may be left out. */
export type TodoOptions = z.input<typeof todoOptionsSchema>;
