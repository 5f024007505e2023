import { catchError, concatMap, defer, type Observable, tap, throwError, timer } from 'rxjs';
import { z } from 'zod';
import { isConnectionEnded } from '../../errors/connection-ended.ts';
import { isError, messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import type { AskNext, Hook } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { ModelChunk } from '../../pipeline/define/model.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { type ErrorClass, errorClasses, errorClassOf } from '../retrying/error-class.ts';
import { retryWait, retryWaitOptions, waitsFit, waitsMisfit } from '../retrying/retry-waits.ts';
import { weakensUnless } from '../weakens-unless.ts';

/** The options of `modelRetry` with their defaults. */
export const modelRetryOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('model-retry').describe('Name of the hook.'),
    on: z
      .array(z.enum(errorClasses))
      .default(['timeout', 'network', 'rateLimit', 'server'])
      .describe('Failures to retry, by code and HTTP status (429, 5xx, 408). other is every other failure.'),
    errorTexts: z
      .array(z.string().min(1))
      .default([])
      .describe('A failure whose message contains one of these texts is retried too.'),
    attempts: z.int().min(2).max(20).default(3).describe('Maximum number of attempts of a request.'),
    ...retryWaitOptions('requests', { delayMs: 1_000, maxDelayMs: 60_000 }),
    afterText: z
      .boolean()
      .default(true)
      .describe(
        'Retries a request that fails after its first chunk. The new attempt retracts the output that was shown. false: such a request fails.',
      ),
  })
  .refine(({ on, errorTexts }) => on.length + errorTexts.length > 0, {
    message: 'must contain a kind of failure, or errorTexts must be set',
    path: ['on'],
  })
  .refine(waitsFit, waitsMisfit);

/** The options of `modelRetry` before defaults; all are optional. */
export type ModelRetryOptions = z.input<typeof modelRetryOptionsSchema>;

/** Inside `model-fallback`: a model has all its attempts before the next model is used. */
const INSIDE_FALLBACK = 550;

/** Injectable parts of `modelRetry`. */
export interface ModelRetryParts {
  /** A number from 0 to 1, for the jitter. Default: `Math.random`. */
  readonly random?: () => number;
}

/**
 * Retries a model request after a transient failure: 429, 5xx, a timeout, a lost connection. The delay doubles each time, and honours
 * `Retry-After`. A retry is another attempt, which retracts the output of the failed one.
 *
 * - Parallel calls: They do not concern this hook.
 * - Sub-agents: Their requests are retried, too.
 * - Retry: A request that another hook sends again has all its attempts.
 * - Suspend and resume: Nothing is kept. A cancel ends the delay.
 * - Cost: Up to `attempts` model requests instead of one, with delays of up to `maxDelayMs` between them.
 */
export function modelRetry(options: ModelRetryOptions = {}, { random = Math.random }: ModelRetryParts = {}): Hook {
  const { name, on, errorTexts, attempts, afterText, ...waits } = parseHookOptions(
    'model-retry',
    modelRetryOptionsSchema,
    options,
  );
  /** The number of attempts of the latest request of a run, and the reason. */
  const retries = new WeakMap<RunInfo, { readonly attempts: number; readonly why: string }>();

  function reasonOf(thrown: unknown): ErrorClass | 'text' | undefined {
    const kind = classOf(thrown);
    if (kind && on.includes(kind)) return kind;
    return errorTexts.some((text) => messageOf(thrown).includes(text)) ? 'text' : undefined;
  }

  function ask(run: RunInfo, next: AskNext, context: HookContext): Observable<ModelChunk> {
    // A failed request has left its entry, which no event reported.
    retries.delete(run);
    function attempt(count: number): Observable<ModelChunk> {
      let shown = false;
      return next().pipe(
        tap(({ type }) => {
          shown ||= type !== 'finish';
        }),
        catchError((thrown: unknown) => {
          const why = reasonOf(thrown);
          const may = why !== undefined && count < attempts && (afterText || !shown);
          const { scheduler, log } = context;
          const ms = may ? retryWait(waits, random, { attempt: count, thrown, now: scheduler.now() }) : undefined;
          if (ms === undefined) return throwError(() => thrown);
          retries.set(run, { attempts: count + 1, why: why as string });
          // Omits the provider's message, which may contain anything, because the log is not redacted.
          log.warn({ attempt: count, why, ms }, 'a model request failed and is retried');
          return timer(ms, scheduler).pipe(concatMap(() => attempt(count + 1)));
        }),
      );
    }
    return attempt(1);
  }

  return defineHook({
    name,
    description: 'Retries model requests after transient failures.',
    priority: INSIDE_FALLBACK,
    around: { reasoning: ({ run }, next, context) => defer(() => ask(run, next, context)) },
    on: {
      postReasoning(event) {
        const data = retries.get(event.run);
        if (!data) return undefined;
        retries.delete(event.run);
        const message = `The model request had ${data.attempts} attempts; the last retry was because of: ${data.why}.`;
        return modify(event, {}, { note: { code: 'model-retried', message, data } });
      },
    },
  });
}

/** An adapter wraps the failure in its own error with the model's name. */
function classOf(thrown: unknown): ErrorClass | undefined {
  if (!isError(thrown, HooklineError) || thrown.code !== 'MODEL_FAILED') return errorClassOf(thrown);
  if (thrown.cause !== undefined) return errorClassOf(thrown.cause);
  return isConnectionEnded(thrown.message) ? 'network' : undefined;
}

/** @internal The catalogue entry of `modelRetry`. */
export const modelRetryEntry = defineCatalogueEntry({
  name: 'model-retry',
  description: 'Retries model requests after transient failures.',
  events: ['preReasoning', 'reasoningChunk', 'postReasoning'],
  optionsSchema: modelRetryOptionsSchema,
  example: { attempts: 4, delayMs: 2_000 },
  weakens: weakensUnless({}, ['on', 'errorTexts', 'attempts', 'delayMs', 'maxDelayMs', 'jitter', 'afterText']),
  create: (options) => modelRetry(options),
});
