import { defineCatalogueEntry } from '../catalogue.ts';
import { streaming } from './streaming.ts';
import { streamingOptionsSchema } from './streaming-options.ts';

/** The catalogue entry of `streaming`, whose sink is a file. */
export const streamingEntry = defineCatalogueEntry({
  name: 'streaming',
  description: 'Sends what models say and tools report to a file as it comes, joined by time and size.',
  events: ['reasoningChunk', 'actingChunk', 'postCall'],
  approves: false,
  optionsSchema: streamingOptionsSchema,
  example: { file: 'stream.jsonl', parts: ['text', 'toolProgress'], everyMs: 200 },
  create: (options) => streaming(options),
});
