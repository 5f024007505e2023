import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../errors/parse-options.ts';
import { endlessOr, timerMs } from '../events/values/timer-ms.ts';
import { tracingSchema } from './define/define-hook.ts';
import type { Tracing } from './define/hook.ts';
import type { Model } from './define/model.ts';
import { consoleLogger, isLogger, type Logger, type ParentLogger, safeLogger } from './logger.ts';

/** The action if a source pushes faster than its hooks work. */
export type Overflow = 'error' | 'dropOldest' | 'dropNewest';

/** Options of a pipeline. All have defaults. */
export interface PipelineOptions {
  /** Parent logger, such as pino (default: warnings and errors to the console). @example log: pino() */
  readonly log?: Logger;
  /** Scheduler of all timers and of `time` (default: `asyncScheduler`). @example scheduler: testScheduler */
  readonly scheduler?: SchedulerLike;
  /** Reports the effect of each hook on each settled event on `traces$` (default: false). @example trace: true */
  readonly trace?: Tracing;
  /** Consecutive retries of a run (default: 8). @example maxRetries: 3 */
  readonly maxRetries?: number;
  /** Chunks that a source may be ahead of its hooks, and the action above it. @example buffer: { chunks: 1_024, overflow: 'error' } */
  readonly buffer?: { readonly chunks?: number; readonly overflow?: Overflow };
  /** Characters of chunks that form the result of a tool without a result (default: 100,000). @example maxResultChars: 10_000 */
  readonly maxResultChars?: number;
  /** Timeout in ms of transcript store, media store and `deliver` (default: 30,000); `Infinity` disables it. @example portTimeoutMs: 5_000 */
  readonly portTimeoutMs?: number;
  /** Models that hooks can use by name with `context.ask`. @example models: { judge: smallModel } */
  readonly models?: Readonly<Record<string, Model>>;
  /** Creates run IDs (default: random UUIDs). @example newId: () => ulid() */
  readonly newId?: () => string;
}

/** Pipeline options with every default filled in. */
export interface Settings {
  readonly log: ParentLogger;
  readonly scheduler: SchedulerLike;
  /** Whether promises can never settle because time is virtual. */
  readonly virtual: boolean;
  readonly trace: Tracing;
  readonly maxRetries: number;
  readonly bufferChunks: number;
  readonly overflow: Overflow;
  readonly maxResultChars: number;
  readonly portTimeoutMs: number;
  readonly newId: () => string;
  readonly models: Readonly<Record<string, Model>>;
}

/** Default timeouts in milliseconds: of each kind of handler, and of the ports of the host. */
export const defaultTimeouts = { observe: 500, on: 5_000, flush: 5_000, approve: 60_000, port: 30_000 } as const;

const optionsSchema = z.strictObject({
  log: z
    .custom(isLogger, 'must be a logger with the methods debug, info, warn and error, such as a pino logger')
    .optional(),
  scheduler: z
    .custom((value) => typeof (value as SchedulerLike | null)?.schedule === 'function', 'must be an RxJS scheduler')
    .optional(),
  trace: tracingSchema.optional(),
  maxRetries: z.int().nonnegative().optional(),
  buffer: z
    .strictObject({
      chunks: z.int().positive().optional(),
      overflow: z.enum(['error', 'dropOldest', 'dropNewest']).optional(),
    })
    .optional(),
  maxResultChars: z.int().positive().optional(),
  portTimeoutMs: endlessOr(timerMs()).optional(),
  newId: z.custom((value) => typeof value === 'function', 'must be a function').optional(),
  models: z
    .record(
      z.string(),
      z.custom((value) => typeof value === 'function', 'must be a function of a request (see Model)'),
    )
    .optional(),
});

const otherNames = { logger: 'log', clock: 'scheduler', tracing: 'trace', retries: 'maxRetries', generateId: 'newId' };

/** Checks pipeline options and applies the defaults. Throws `OPTIONS_INVALID`. */
export function toSettings(options: PipelineOptions): Settings {
  parseOptions('createPipeline()', optionsSchema, options, otherNames);
  const scheduler = options.scheduler ?? asyncScheduler;
  return {
    log: safeLogger(options.log ?? consoleLogger),
    scheduler,
    virtual: isVirtual(scheduler),
    trace: options.trace ?? false,
    maxRetries: options.maxRetries ?? 8,
    bufferChunks: options.buffer?.chunks ?? 1_024,
    overflow: options.buffer?.overflow ?? 'error',
    maxResultChars: options.maxResultChars ?? 100_000,
    portTimeoutMs: options.portTimeoutMs ?? defaultTimeouts.port,
    models: { ...options.models },
    newId: options.newId ?? (() => crypto.randomUUID()),
  };
}

/** Checks the methods, not the class: the scheduler may come from another copy of RxJS. */
function isVirtual(scheduler: SchedulerLike): boolean {
  return 'frame' in scheduler && 'maxFrames' in scheduler;
}
