import { z } from 'zod';
import { priceOptions } from '../tokens/prices.ts';

/** The options of `monitor` with their defaults. */
export const monitorOptionsSchema = z.strictObject({
  name: z.string().min(1).default('monitor').describe('Name of the hook.'),
  ...priceOptions,
  prometheus: z
    .boolean()
    .default(false)
    .describe('Collects Prometheus metrics. Requires the package prom-client, as does file.'),
  file: z
    .string()
    .min(1)
    .exactOptional()
    .describe('File for the Prometheus metrics, written after each run, for a textfile collector.')
    .meta({ local: true, alone: true }),
  prefix: z
    .string()
    .regex(/^[a-zA-Z_:][\w:]*$/, 'must contain only letters, digits, _ and :')
    .default('hookline_')
    .describe('Prefix of the metric names.'),
  maxLabelValues: z
    .int()
    .positive()
    .default(100)
    .describe('Maximum number of agents, tools and models with separate metrics. All others are "other".'),
});

/** The options of `monitor` before defaults; all are optional. */
export type MonitorOptions = z.input<typeof monitorOptionsSchema>;
