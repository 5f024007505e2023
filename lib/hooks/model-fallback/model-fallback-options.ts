import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';

/** The options of `modelFallback` with their defaults. */
export const modelFallbackOptionsSchema = z.strictObject({
  name: z.string().min(1).default('model-fallback').describe('Name of the hook.'),
  models: z
    .array(z.string().min(1))
    .min(1, 'must contain at least one model')
    .refine((names) => new Set(names).size === names.length, 'must not contain a model twice')
    .describe('Fallback models in order: models of the host, or names that the model of the run supports.'),
  on: z
    .array(z.enum(['failure', 'silence', 'refusal']))
    .min(1, 'must contain at least one of failure, silence and refusal')
    .exactOptional()
    .describe('When to use the next model (default: failure and silence, and refusal if refusals is set).'),
  silenceMs: timerMs().default(60_000).describe('Timeout for the first chunk and between two chunks, in milliseconds.'),
  refusals: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Beginnings of answers that are refusals, such as "I cannot help", case-insensitive. An answer that the provider marks as filtered is a refusal, too.',
    ),
  restMs: z
    .number()
    .nonnegative()
    .default(0)
    .describe('How long all runs skip a model after a failure or silence, in milliseconds.'),
});

/** The options of `modelFallback` before defaults. */
export type ModelFallbackOptions = z.input<typeof modelFallbackOptionsSchema>;
