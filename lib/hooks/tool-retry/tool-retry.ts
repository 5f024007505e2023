import { catchError, concatMap, map, type Observable, of, throwError, timer } from 'rxjs';
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
import { type ErrorClass, errorClassOf } from '../retrying/error-class.ts';
import { retryWait } from '../retrying/retry-waits.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { type ToolRetryOptions, toolRetryOptionsSchema } from './tool-retry-options.ts';

/** Outside a limit of time, which holds for each attempt, and outside a cache, which keeps no attempt that failed. */
const OUTSIDE_TIME_LIMIT = 550;

/** An error result, on its way to being tried again. */
class ErrorResult {
  readonly item: Exclude<ToolItem, string>;
  constructor(item: Exclude<ToolItem, string>) {
    this.item = item;
  }
}

/** What `toolRetry` may be given beside its options. */
export interface ToolRetryParts {
  /** A number from 0 to 1, for the jitter. Default: `Math.random`. */
  readonly random?: () => number;
}

/**
 * Runs a tool again when it has failed in a way that may pass: a time-out, a lost connection, a server that is busy. It waits longer each
 * time, and as long as the other side asks. Tools that write or are external run again only where they are named in `repeatable`.
 *
 * Calls at once: each waits for itself. Sub-agents: their tools, as any; a sub-agent itself only where its tool is named. Retry: what came
 * of an attempt that failed is withdrawn. Suspend and resume: a call that is suspended has not run.
 */
export function toolRetry(options: ToolRetryOptions = {}, { random = Math.random }: ToolRetryParts = {}): Hook {
  const { name, tools, repeatable, on, errorTexts, attempts, ...waits } = parseHookOptions(
    'tool-retry',
    toolRetryOptionsSchema,
    options,
  );
  const reads = createMatcher(tools);
  const repeats = createMatcher(repeatable);
  /** How often calls were run that were run again, and why. */
  const told = new WeakMap<ToolCall, { readonly times: number; readonly why: string }>();

  /** Why an attempt that has come to this is made again, if it is. */
  function reasonOf(thrown: unknown): ErrorClass | 'text' | undefined {
    const told = (text: string) => errorTexts.some((one) => text.includes(one));
    if (thrown instanceof ErrorResult) return told(thrown.item.content) ? 'text' : undefined;
    const kind = errorClassOf(thrown);
    if (!kind || on.includes(kind)) return kind;
    return told(messageOf(thrown)) ? 'text' : undefined;
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
          told.set(toolCall, { times: count + 1, why });
          // What the tool says of it may hold anything, and no redactor reads the log.
          log.warn({ tool: toolCall.name, attempt: count, why, ms }, 'a tool failed and is run again');
          return timer(ms, scheduler).pipe(concatMap(() => attempt(count + 1)));
        }),
      );
    return attempt(1);
  }

  return defineHook({
    name,
    description: 'Runs tools again that have failed in a way that may pass.',
    priority: OUTSIDE_TIME_LIMIT,
    around: {
      acting(event, next, context) {
        const may = event.permission === 'read' ? reads : repeats;
        return may(event.toolCall.name) ? run(event, next, context) : next();
      },
    },
    on: {
      postActing(event) {
        const again = told.get(event.toolCall);
        if (!again) return undefined;
        const message = `The tool was run ${again.times} times; the last time before because of: ${again.why}.`;
        return modify(event, {}, { note: { code: 'tool-retried', message, data: again } });
      },
    },
  });
}

/** The catalogue entry of `toolRetry`. */
export const toolRetryEntry = defineCatalogueEntry({
  name: 'tool-retry',
  description: 'Runs tools again that have failed in a way that may pass.',
  events: ['preActing', 'actingChunk', 'postActing'],
  approves: false,
  optionsSchema: toolRetryOptionsSchema,
  example: { attempts: 4, delayMs: 1_000, repeatable: ['fetch_page'] },
  weakens: weakensUnless({
    tools: 'free',
    repeatable: 'mayShrink',
    on: 'free',
    errorTexts: 'free',
    attempts: 'free',
    delayMs: 'free',
    maxDelayMs: 'free',
    jitter: 'free',
  }),
  create: (options) => toolRetry(options),
});
