import { defineCatalogueEntry } from '../catalogue.ts';
import { todo } from './todo.ts';
import { todoOptionsSchema } from './todo-options.ts';

/** The catalogue entry of `todo`. */
export const todoEntry = defineCatalogueEntry({
  name: 'todo',
  description: 'Gives the model a list of what is to be done, and reminds it.',
  events: ['preReasoning', 'postReasoning', 'postActing'],
  approves: false,
  optionsSchema: todoOptionsSchema,
  example: { finishFirst: 1 },
  create: todo,
});
