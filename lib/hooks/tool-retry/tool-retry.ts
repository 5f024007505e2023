import { catchError, concatMap, map, type Observable, of, throwError, timer } from 'rxjs';
import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { EventOf } from '../../events/hook-event.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import type { ToolItem } from '../../pipeline/define/tool.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { type ErrorClass, errorClasses, errorClassOf } from '../retrying/error-class.ts';
import { retryWait, retryWaitOptions, waitsFit, waitsMisfit } from '../retrying/retry-waits.ts';
import { weakensUnless } from '../weakens-unless.ts';

const names = z.array(z.string().min(1));

/** The options of `toolRetry` with their defaults. */
export const toolRetryOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('tool-retry').describe('Name of the hook.'),
    tools: names.default(['*']).describe('Read-only tools to retry; * and ? are wildcards.'),
    repeatable: names.default([]).describe('Idempotent write or external tools to retry, too; * and ? are wildcards.'),
    on: z
      .array(z.enum(errorClasses))
      .default(['timeout', 'network', 'rateLimit', 'server'])
      .describe('Failures to retry, by code and HTTP status. other is every other failure.'),
    errorTexts: names
      .default([])
      .describe('Also retries failures that contain one of these texts, thrown or as an error result.'),
    attempts: z.int().min(2).max(20).default(3).describe('Maximum number of attempts.'),
    ...retryWaitOptions('calls', { delayMs: 500, maxDelayMs: 30_000 }),
  })
  .refine(({ on, errorTexts }) => on.length + errorTexts.length > 0, {
    message: 'must contain a kind of failure, or errorTexts must be set',
    path: ['on'],
  })
  .refine(waitsFit, waitsMisfit);

/** The options of `toolRetry` before defaults; all are optional. */
export type ToolRetryOptions = z.input<typeof toolRetryOptionsSchema>;

/** Outside a timeout, which applies to each attempt, and outside a cache, which stores no failed attempts. */
const OUTSIDE_TIME_LIMIT = 550;

/** An error result that is to be retried. */
class ErrorResult {
  readonly item: Exclude<ToolItem, string>;
  constructor(item: Exclude<ToolItem, string>) {
    this.item = item;
  }
}

/** Injectable parts of `toolRetry`. */
export interface ToolRetryParts {
  /** A number from 0 to 1, for the jitter. Default: `Math.random`. */
  readonly random?: () => number;
}

/**
 * Retries a tool call after a transient failure: a timeout, a lost connection, a busy server. The delay grows each time, and honours
 * `Retry-After`. Write and external tools are retried only if `repeatable` names them.
 *
 * - Parallel calls: Each call has its own delays.
 * - Sub-agents: Their tool calls are retried, too. A sub-agent itself is retried only if its tool is named.
 * - Retry: The output of a failed attempt is retracted.
 * - Suspend and resume: A suspended call has not run, so it has all its attempts.
 * - Cost: Up to `attempts` runs of a tool instead of one, with delays of up to `maxDelayMs` between them.
 */
export function toolRetry(options: ToolRetryOptions = {}, { random = Math.random }: ToolRetryParts = {}): Hook {
  const { name, tools, repeatable, on, errorTexts, attempts, ...waits } = parseHookOptions(
    'tool-retry',
    toolRetryOptionsSchema,
    options,
  );
  const reads = createMatcher(tools);
  const repeats = createMatcher(repeatable);
  /** The number of runs of a retried call, and the reason. */
  const retries = new WeakMap<ToolCall, { readonly times: number; readonly why: string }>();

  /** Returns the reason to retry an attempt, if any. */
  function reasonOf(thrown: unknown): ErrorClass | 'text' | undefined {
    const isListed = (text: string) => errorTexts.some((one) => text.includes(one));
    if (thrown instanceof ErrorResult) return isListed(thrown.item.content) ? 'text' : undefined;
    const kind = errorClassOf(thrown);
    if (!kind || on.includes(kind)) return kind;
    return isListed(messageOf(thrown)) ? 'text' : undefined;
  }

  function run(
    { toolCall }: EventOf<'preActing'>,
    next: () => Observable<ToolItem>,
    { scheduler, log }: HookContext,
  ): Observable<ToolItem> {
    const attempt = (count: number): Observable<ToolItem> =>
      next().pipe(
        map((item) => {
          if (count < attempts && typeof item !== 'string' && item.isError && reasonOf(new ErrorResult(item)))
            throw new ErrorResult(item);
          return item;
        }),
        catchError((thrown) => {
          const ends = () => (thrown instanceof ErrorResult ? of(thrown.item) : throwError(() => thrown));
          const why = reasonOf(thrown);
          if (count >= attempts || !why) return ends();
          const ms = retryWait(waits, random, { attempt: count, thrown, now: scheduler.now() });
          if (ms === undefined) return ends();
          retries.set(toolCall, { times: count + 1, why });
          // Omits the tool's message, which may contain anything, because the log is not redacted.
          log.warn({ tool: toolCall.name, attempt: count, why, ms }, 'a tool failed and is retried');
          return timer(ms, scheduler).pipe(concatMap(() => attempt(count + 1)));
        }),
      );
    return attempt(1);
  }

  return defineHook({
    name,
    description: 'Retries tools after transient failures.',
    priority: OUTSIDE_TIME_LIMIT,
    around: {
      acting(event, next, context) {
        const may = event.permission === 'read' ? reads : repeats;
        return may(event.toolCall.name) ? run(event, next, context) : next();
      },
    },
    on: {
      postActing(event) {
        const again = retries.get(event.toolCall);
        if (!again) return undefined;
        const message = `The tool had ${again.times} attempts; the last retry was because of: ${again.why}.`;
        return modify(event, {}, { note: { code: 'tool-retried', message, data: again } });
      },
    },
  });
}

/** @internal The catalogue entry of `toolRetry`. */
export const toolRetryEntry = defineCatalogueEntry({
  name: 'tool-retry',
  description: 'Retries tools after transient failures.',
  events: ['preActing', 'actingChunk', 'postActing'],
  approves: false,
  optionsSchema: toolRetryOptionsSchema,
  example: { attempts: 4, delayMs: 1_000, repeatable: ['fetch_page'] },
  weakens: weakensUnless({ repeatable: 'mayShrink' }, [
    'tools',
    'on',
    'errorTexts',
    'attempts',
    'delayMs',
    'maxDelayMs',
    'jitter',
  ]),
  create: (options) => toolRetry(options),
});
