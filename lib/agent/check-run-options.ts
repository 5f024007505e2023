import { isObservable } from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../errors/parse-options.ts';
import type { AgentRunOptions } from './agent.ts';

const stream = z.custom((value) => isObservable(value), 'must be an Observable').optional();

const optionsSchema = z.strictObject({
  sessionId: z.string().optional(),
  userId: z.string().optional(),
  metadata: z.unknown().optional(),
  maxIterations: z.int().positive().optional(),
  signal: z
    .custom((value) => typeof (value as AbortSignal | null)?.addEventListener === 'function', 'must be an AbortSignal')
    .optional(),
  steering$: stream,
  interrupt$: stream,
});

/** Gives run options back as they are, if they fit; a fault is `OPTIONS_INVALID`. */
export function checkRunOptions(options: AgentRunOptions): AgentRunOptions {
  parseOptions('agent.run()', optionsSchema, options);
  return options;
}
