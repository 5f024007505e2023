import { eventTypes } from '../../events/decisions/event-rules.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { timing } from './timing.ts';
import { timingOptionsSchema } from './timing-options.ts';

/** The catalogue entry of `timing`. It measures no hooks: that needs the trace of the pipeline, see `Timing.watch`. */
export const timingEntry = defineCatalogueEntry({
  name: 'timing',
  description: 'Measures how long runs, reasonings, first tokens and tools take, and warns of what is slow.',
  events: eventTypes,
  approves: false,
  optionsSchema: timingOptionsSchema,
  example: { slowMs: { reasoning: 60_000, firstToken: 10_000, tool: 30_000 } },
  notices: ({ slowMs }) =>
    slowMs.hook === undefined
      ? []
      : [
          {
            path: ['slowMs', 'hook'],
            message: 'has no effect here: hooks are measured in code, by watch(pipeline.traces$)',
          },
        ],
  create: (options) => timing(options).hook,
});
