import { z } from 'zod';
import { backplaneSchema } from '../config/backplane-schema.ts';
import { timerMs } from '../events/values/timer-ms.ts';

/** Options of `natsBackplane` with their defaults. */
export const natsOptionsSchema = backplaneSchema.extend({
  keepMs: z
    .number()
    .positive()
    .default(30 * 24 * 3_600_000)
    .describe('How long runs are kept after their last change, in milliseconds (default: 30 days).'),
  keepBytes: z
    .int()
    .positive()
    .default(1024 ** 3)
    .describe('Maximum size of the events of all runs, in bytes (default: 1 GiB).'),
  timeoutMs: timerMs({}).default(2_000).describe('Timeout of a request to NATS, in milliseconds.'),
});

/** Options of `natsBackplane`. */
export type NatsOptions = z.input<typeof natsOptionsSchema>;
export type NatsSettings = z.output<typeof natsOptionsSchema>;
