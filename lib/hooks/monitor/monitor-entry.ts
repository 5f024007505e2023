import { eventTypes } from '../../events/decisions/event-rules.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { monitor } from './monitor.ts';
import { monitorOptionsSchema } from './monitor-options.ts';

/** The catalogue entry of `monitor`. */
export const monitorEntry = defineCatalogueEntry({
  name: 'monitor',
  description: 'Counts runs, reasonings, tool calls, tokens and money; metrics of Prometheus in a file.',
  events: eventTypes,
  approves: false,
  optionsSchema: monitorOptionsSchema,
  example: { prices: { '*': { input: 1, output: 4 } } },
  notices: ({ prometheus, file }) =>
    prometheus && file === undefined
      ? [
          {
            path: ['prometheus'],
            message: 'has no effect here without file: the text is read in code, by prometheus()',
          },
        ]
      : [],
  create: (options) => monitor(options).hook,
});
