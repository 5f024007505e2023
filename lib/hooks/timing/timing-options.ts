import { z } from 'zod';

const ms = z.number().positive();

/** The options of `timing` with their defaults. */
export const timingOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('timing').describe('Name of the hook.'),
    slowMs: z
      .strictObject({
        run: ms.exactOptional().describe('Duration of a run.'),
        reasoning: ms.exactOptional().describe('Duration of a model request.'),
        firstToken: ms.exactOptional().describe('Time to the first text or call of an answer.'),
        tool: ms.exactOptional().describe('Duration of a tool call.'),
        hook: ms.exactOptional().describe('Duration of a hook for one event.'),
      })
      .default({})
      .describe('Durations in milliseconds that log a warning (default: none).'),
    hooks: z
      .boolean()
      .exactOptional()
      .describe(
        'Measures the time of each hook (default: only with `slowMs.hook`). Requires the trace, which adds some overhead to each event.',
      ),
    samples: z
      .int()
      .positive()
      .max(100_000)
      .default(1_000)
      .describe('Number of recent durations per kind for percentiles.'),
    maxNames: z
      .int()
      .positive()
      .default(100)
      .describe('Maximum number of models, tools, hooks and agents with separate statistics. All others are "other".'),
  })
  .refine(({ hooks, slowMs }) => hooks !== false || slowMs.hook === undefined, {
    message: 'requires hooks: true',
    path: ['slowMs', 'hook'],
  });

/** The options of `timing` before defaults; all are optional. */
export type TimingOptions = z.input<typeof timingOptionsSchema>;
