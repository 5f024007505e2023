import pino, { type Logger } from 'pino';
import { asyncScheduler, type SchedulerLike, VirtualTimeScheduler } from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../errors/parse-options.ts';
import type { Overflow, PipelineOptions } from './pipeline.ts';

/** Pipeline options with every default filled in. */
export interface Settings {
  readonly log: Logger;
  readonly scheduler: SchedulerLike;
  /** Whether promises can never settle because time is virtual. */
  readonly virtual: boolean;
  readonly trace: boolean;
  readonly maxRetries: number;
  readonly bufferChunks: number;
  readonly overflow: Overflow;
  readonly maxJoinedResult: number;
  readonly freezeChunks: boolean;
  readonly newId: () => string;
}

/** Milliseconds that each kind of handler may take where its hook does not say. */
export const defaultTimeouts = { observe: 500, on: 5_000, flush: 5_000, approve: 60_000 } as const;

const optionsSchema = z.strictObject({
  log: z.custom((value) => typeof (value as Logger | null)?.child === 'function', 'must be a pino logger').optional(),
  scheduler: z
    .custom((value) => typeof (value as SchedulerLike | null)?.schedule === 'function', 'must be an RxJS scheduler')
    .optional(),
  trace: z.boolean().optional(),
  maxRetries: z.int().nonnegative().optional(),
  buffer: z
    .strictObject({
      chunks: z.int().positive().optional(),
      overflow: z.enum(['error', 'dropOldest', 'dropNewest']).optional(),
    })
    .optional(),
  maxJoinedResult: z.int().positive().optional(),
  freezeChunks: z.boolean().optional(),
  newId: z.custom((value) => typeof value === 'function', 'must be a function').optional(),
});

/** Checks pipeline options and fills in the defaults; a fault is `OPTIONS_INVALID`. */
export function toSettings(options: PipelineOptions): Settings {
  parseOptions('createPipeline()', optionsSchema, options);
  const scheduler = options.scheduler ?? asyncScheduler;
  return {
    log: options.log ?? pino({ level: 'silent' }),
    scheduler,
    virtual: scheduler instanceof VirtualTimeScheduler,
    trace: options.trace ?? false,
    maxRetries: options.maxRetries ?? 8,
    bufferChunks: options.buffer?.chunks ?? 1_024,
    overflow: options.buffer?.overflow ?? 'error',
    maxJoinedResult: options.maxJoinedResult ?? 100_000,
    freezeChunks: options.freezeChunks ?? !inProduction(),
    newId: options.newId ?? (() => crypto.randomUUID()),
  };
}

function inProduction(): boolean {
  // A browser has no `process`.
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.['NODE_ENV'] === 'production';
}
