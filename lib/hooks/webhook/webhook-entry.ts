import { eventTypes } from '../../events/decisions/event-rules.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { webhook } from './webhook.ts';
import { webhookOptionsSchema } from './webhook-options.ts';

/** The catalogue entry of `webhook`. */
export const webhookEntry = defineCatalogueEntry({
  name: 'webhook',
  description: 'Posts events to a URL, in batches, signed and without secrets.',
  events: eventTypes,
  approves: false,
  optionsSchema: webhookOptionsSchema,
  example: { url: 'http://localhost:4000/events', events: ['postActing', 'postCall'] },
  create: (options) => webhook(options).hook,
});
