import { defineCatalogueEntry } from '../catalogue.ts';
import { toolRetry } from './tool-retry.ts';
import { toolRetryOptionsSchema } from './tool-retry-options.ts';

/** The catalogue entry of `toolRetry`. */
export const toolRetryEntry = defineCatalogueEntry({
  name: 'tool-retry',
  description: 'Runs tools again that have failed in a way that may pass.',
  events: ['preActing', 'actingChunk', 'postActing'],
  approves: false,
  optionsSchema: toolRetryOptionsSchema,
  example: { attempts: 4, delayMs: 1_000, repeatable: ['fetch_page'] },
  create: (options) => toolRetry(options),
});
