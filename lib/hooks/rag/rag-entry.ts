import { defineCatalogueEntry } from '../catalogue.ts';
import { rag } from './rag.ts';
import { ragOptionsSchema } from './rag-options.ts';

/** The catalogue entry of `rag`. */
export const ragEntry = defineCatalogueEntry({
  name: 'rag',
  description: 'Finds passages for what the user says, and gives them to the model.',
  events: ['preReasoning', 'postCall'],
  optionsSchema: ragOptionsSchema,
  example: { folder: 'docs', include: ['*.md'] },
  create: rag,
});
