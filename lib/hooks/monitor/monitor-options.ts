import { z } from 'zod';
import { priceSchema } from '../tokens/prices.ts';

/** The options of `monitor` with their defaults. */
export const monitorOptionsSchema = z.strictObject({
  name: z.string().min(1).default('monitor').describe('Name of the hook.'),
  prices: z
    .record(z.string().min(1), priceSchema)
    .default({})
    .describe('What models cost, by name; * and ? are wildcards, and the closest name counts.'),
  currency: z.string().min(1).default('USD').describe('What the prices are in; only shown.'),
  prometheus: z
    .boolean()
    .default(false)
    .describe('Keeps metrics of Prometheus, which needs the package prom-client. file does, too.'),
  file: z
    .string()
    .min(1)
    .exactOptional()
    .describe('A file that the text of Prometheus is written to after each run, for a collector of text files.')
    .meta({ local: true, alone: true }),
  prefix: z
    .string()
    .regex(/^[a-zA-Z_:][\w:]*$/, 'must be letters, digits, _ and :')
    .default('hookline_')
    .describe('What the names of the metrics begin with.'),
  maxLabelValues: z
    .int()
    .positive()
    .default(100)
    .describe('So many agents, tools and models have metrics of their own each; the rest is "other".'),
});

/** The options of `monitor` as they are given; all may be left out. */
export type MonitorOptions = z.input<typeof monitorOptionsSchema>;
