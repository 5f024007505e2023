import { defineCatalogueEntry } from '../catalogue.ts';
import { toolSelection } from './tool-selection.ts';
import { toolSelectionOptionsSchema } from './tool-selection-options.ts';

/** The catalogue entry of `toolSelection`. */
export const toolSelectionEntry = defineCatalogueEntry({
  name: 'tool-selection',
  description: 'Selects the tools that the model is offered: by agent, by rules, or by a model.',
  events: ['preReasoning', 'preActing'],
  optionsSchema: toolSelectionOptionsSchema,
  example: { rules: [{ agents: ['researcher'], offer: ['read_*', 'search_*'] }] },
  create: toolSelection,
});
