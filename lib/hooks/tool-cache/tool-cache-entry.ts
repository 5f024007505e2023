import { defineCatalogueEntry } from '../catalogue.ts';
import { toolCache } from './tool-cache.ts';
import { toolCacheOptionsSchema } from './tool-cache-options.ts';

/** The catalogue entry of `toolCache`. */
export const toolCacheEntry = defineCatalogueEntry({
  name: 'tool-cache',
  description: 'Answers repeated calls of tools that only read with what they gave before.',
  events: ['preActing', 'actingChunk', 'postActing'],
  approves: false,
  optionsSchema: toolCacheOptionsSchema,
  example: { tools: ['search_*', 'read_file'], ttlMs: 60_000 },
  create: (options) => toolCache(options),
});
