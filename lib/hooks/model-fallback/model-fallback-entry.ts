import { defineCatalogueEntry } from '../catalogue.ts';
import { modelFallback } from './model-fallback.ts';
import { modelFallbackOptionsSchema } from './model-fallback-options.ts';

/** The catalogue entry of `modelFallback`. */
export const modelFallbackEntry = defineCatalogueEntry({
  name: 'model-fallback',
  description: 'Asks the next model when one fails, says nothing or refuses.',
  events: ['preReasoning', 'reasoningChunk', 'postReasoning'],
  approves: false,
  optionsSchema: modelFallbackOptionsSchema,
  example: { models: ['small', 'other'], silenceMs: 30_000 },
  create: modelFallback,
});
