import { defineCatalogueEntry } from '../catalogue.ts';
import { longTermMemory } from './long-term-memory.ts';
import { longTermMemoryOptionsSchema } from './long-term-memory-options.ts';

/** The catalogue entry of `longTermMemory`. */
export const longTermMemoryEntry = defineCatalogueEntry({
  name: 'long-term-memory',
  description: 'Remembers what was said, and tells the model of it when it may matter.',
  events: ['preCall', 'preReasoning', 'postCall'],
  optionsSchema: longTermMemoryOptionsSchema,
  example: { per: 'user', limit: 3, maxAgeMs: 7_776_000_000 },
  create: (options, host) => longTermMemory(options, host).hook,
});
