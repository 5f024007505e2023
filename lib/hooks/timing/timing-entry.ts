import { eventTypes } from '../../events/decisions/event-rules.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { timing } from './timing.ts';
import { timingOptionsSchema } from './timing-options.ts';

/** The catalogue entry of `timing`. */
export const timingEntry = defineCatalogueEntry({
  name: 'timing',
  description: 'Measures how long runs, reasonings, first tokens, tools and hooks take, and warns of what is slow.',
  events: eventTypes,
  approves: false,
  optionsSchema: timingOptionsSchema,
  example: { slowMs: { reasoning: 60_000, firstToken: 10_000, tool: 30_000 } },
  create: (options) => timing(options).hook,
});
