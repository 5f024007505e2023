import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';

/** The options of `modelFallback` with their defaults. */
export const modelFallbackOptionsSchema = z.strictObject({
  name: z.string().min(1).default('model-fallback').describe('Name of the hook.'),
  models: z
    .array(z.string().min(1))
    .min(1, 'needs at least one model')
    .refine((names) => new Set(names).size === names.length, 'must not name a model twice')
    .describe(
      'The models that are asked next, in this order: models of the host, else names that the run’s own knows.',
    ),
  on: z
    .array(z.enum(['failure', 'silence', 'refusal']))
    .min(1, 'needs at least one of failure, silence and refusal')
    .exactOptional()
    .describe(
      'When the next model is asked. Default: on failure and silence, and on refusal where refusals are given.',
    ),
  silenceMs: timerMs()
    .default(60_000)
    .describe('How long a model may say nothing, in milliseconds, at the beginning and between two chunks.'),
  refusals: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'How answers begin that are refusals, as "I cannot help"; case does not count. An answer that the provider marks as filtered is a refusal too.',
    ),
  restMs: z
    .number()
    .nonnegative()
    .default(0)
    .describe('For how long a model that has failed or kept silent is passed over, in milliseconds, in all runs.'),
});

/** The options of `modelFallback` as they are given. */
export type ModelFallbackOptions = z.input<typeof modelFallbackOptionsSchema>;
