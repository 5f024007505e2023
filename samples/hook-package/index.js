import { defineHook, deny } from 'hookline';
import { defineCatalogueEntry } from 'hookline/hooks';
import { z } from 'zod';

const hour = z.int().min(0).max(23);

/** The default export is one kind of hooks, or a list of kinds. */
export default defineCatalogueEntry({
  name: 'office-hours',
  description: 'Allows calls during some hours only.',
  events: ['preActing'],
  optionsSchema: z.strictObject({
    from: hour.default(9).describe('First hour (UTC).'),
    to: hour.default(17).describe('First hour (UTC) after the last one.'),
  }),
  example: { from: 8, to: 18 },
  // More hours than before weaken a policy. A later file may then not set them.
  weakens: (before, after) => after.from < before.from || after.to > before.to,
  create: ({ from, to }) =>
    defineHook({
      name: 'office-hours',
      on: {
        preActing(event, { scheduler }) {
          const now = new Date(scheduler.now()).getUTCHours();
          return now >= from && now < to ? undefined : deny(event, `calls are allowed from ${from} to ${to} h UTC`);
        },
      },
    }),
});
