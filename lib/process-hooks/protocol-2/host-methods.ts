import { z } from 'zod';
import { jsonValueSchema } from '../../events/values/json-value.ts';

const run = z.string().describe('ID of a run that the hook received: event.run.runId, or run of hook.chunks.');
const key = z
  .string()
  .min(1)
  .max(256)
  .refine((name) => name !== '__proto__', 'must be another name')
  .describe('Name of the value. Each hook has its own values.');

/** Methods of the host that a hook process can call in protocol 2, with their parameters. */
export const hostMethods = {
  'host.log': z
    .strictObject({
      level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
      message: z.string(),
      data: jsonValueSchema.optional(),
      run: run.optional(),
    })
    .describe('Writes to the log of the host. The result is {}.'),
  'host.state.get': z.strictObject({ run, key }).describe('The result is { value }, or null if it was not set.'),
  'host.state.set': z
    .strictObject({ run, key, value: jsonValueSchema })
    .describe('Stores a value in the run and its snapshots. The result is {}.'),
  'host.message': z
    .strictObject({ run, text: z.string().min(1) })
    .describe('Sends a message to the channel of the user. The result {} follows when it is sent.'),
} as const;

export type HostMethod = keyof typeof hostMethods;

/** Parameters of a method. */
export type HostParams<M extends HostMethod> = z.output<(typeof hostMethods)[M]>;
