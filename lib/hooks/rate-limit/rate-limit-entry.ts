import { defineCatalogueEntry } from '../catalogue.ts';
import { requirePart } from '../hook-host.ts';
import { rateLimit } from './rate-limit.ts';
import { rateLimitOptionsSchema } from './rate-limit-options.ts';

/** The catalogue entry of `rateLimit`. A limit that is gone, or that differs from the one in its place in more than a lower `max`, weakens it. */
export const rateLimitEntry = defineCatalogueEntry({
  name: 'rate-limit',
  description: 'Limits calls, questions to the model and tokens by time.',
  events: ['preActing', 'preReasoning', 'reasoningChunk'],
  optionsSchema: rateLimitOptionsSchema,
  example: { limits: [{ of: 'calls', tools: ['fetch_*'], per: ['user', 'tool'], max: 10, windowMs: 60_000 }] },
  weakens: (before, after) =>
    before.limits.some((limit, at) => {
      const now = after.limits[at];
      return !now || now.max > limit.max || JSON.stringify({ ...now, max: 0 }) !== JSON.stringify({ ...limit, max: 0 });
    }),
  create: (options, host) => rateLimit(options, { store: requirePart(host, 'store', 'rate-limit') }),
});
