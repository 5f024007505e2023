import { z } from 'zod';

const ms = z.number().positive();

/** The options of `timing` with their defaults. */
export const timingOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('timing').describe('Name of the hook.'),
    slowMs: z
      .strictObject({
        run: ms.exactOptional().describe('A whole run.'),
        reasoning: ms.exactOptional().describe('A question to the model, to the end of its answer.'),
        firstToken: ms.exactOptional().describe('The first text or call of an answer.'),
        tool: ms.exactOptional().describe('A call of a tool.'),
        hook: ms.exactOptional().describe('What a hook does to one event.'),
      })
      .default({})
      .describe('From how many milliseconds on the log warns that something was slow. Default: never.'),
    hooks: z
      .boolean()
      .default(true)
      .describe('Whether the time of each hook is measured. It comes from the trace, which takes some time itself.'),
    samples: z
      .int()
      .positive()
      .max(100_000)
      .default(1_000)
      .describe('How many of the last durations of each kind percentiles are made from.'),
    maxNames: z
      .int()
      .positive()
      .default(100)
      .describe('So many models, tools, hooks and agents are told apart each; the rest is "other".'),
  })
  .refine(({ hooks, slowMs }) => hooks || slowMs.hook === undefined, {
    message: 'needs hooks: true',
    path: ['slowMs', 'hook'],
  });

/** The options of `timing` as they are given; all may be left out. */
export type TimingOptions = z.input<typeof timingOptionsSchema>;
