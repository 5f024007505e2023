import { Observable } from 'rxjs';
import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import type { ToolItem } from '../../pipeline/define/tool.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { loosens } from '../loosens.ts';
import { names } from '../name-options.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';

/** The number of output characters added to the timeout notice. */
const KEPT = 50_000;

const limitSchema = z.strictObject({
  tools: names.exactOptional().describe('Tools that the limit applies to; * and ? are wildcards (default: all).'),
  ms: timerMs().describe('Timeout of a call, in milliseconds.'),
});

/** The options of `toolTimeLimit` with their defaults. */
export const toolTimeLimitOptionsSchema = z.strictObject({
  name: z.string().min(1).default('tool-time-limit').describe('Name of the hook.'),
  limits: z
    .array(limitSchema)
    .min(1, 'must contain at least one limit')
    .describe('Limits. The first one that matches a tool applies.'),
});

/** The options of `toolTimeLimit` before defaults. */
export type ToolTimeLimitOptions = z.input<typeof toolTimeLimitOptionsSchema>;

/**
 * Sets a timeout for tools. At the timeout, the tool's signal aborts. The model receives a notice and the output so far.
 *
 * - Parallel calls: Each call has its own timeout.
 * - Sub-agents: The time of a sub-agent counts for the call that runs it.
 * - Retry: Each attempt begins with the full time.
 * - Suspend and resume: The time in which a call waits for approval does not count.
 * - Cost: One timer for each call.
 */
export function toolTimeLimit(options: ToolTimeLimitOptions): Hook {
  const { name, limits } = parseHookOptions('tool-time-limit', toolTimeLimitOptionsSchema, options);
  const tests = limits.map(({ tools = ['*'], ms }) => ({ matches: createMatcher(tools), ms }));
  return defineHook({
    name,
    description: 'Limits the duration of tool calls.',
    // Inside retrying wrappers: each attempt has the full time.
    priority: HookPriority.METRICS,
    around: {
      acting({ toolCall }, next, { scheduler }) {
        const limit = tests.find(({ matches }) => matches(toolCall.name));
        return limit ? bounded(next(), limit.ms, (act, ms) => scheduler.schedule(act, ms)) : next();
      },
    },
  });
}

function bounded(
  items$: Observable<ToolItem>,
  ms: number,
  schedule: (act: () => void, ms: number) => { unsubscribe(): void },
): Observable<ToolItem> {
  return new Observable((subscriber) => {
    let printed = '';
    let result = false;
    const running = items$.subscribe({
      next(item) {
        if (typeof item !== 'string') result = true;
        else if (printed.length < KEPT) printed += item;
        subscriber.next(item);
      },
      error: (thrown) => subscriber.error(thrown),
      complete: () => subscriber.complete(),
    });
    subscriber.add(running);
    if (subscriber.closed) return;
    subscriber.add(
      schedule(() => {
        running.unsubscribe();
        const notice = `[Stopped: it ran longer than ${ms / 1_000} s.]`;
        const content = printed === '' ? notice : `${printed.slice(0, KEPT)}\n${notice}`;
        if (!result) subscriber.next({ content, isError: true });
        subscriber.complete();
      }, ms),
    );
  });
}

/** @internal The catalogue entry of `toolTimeLimit`. */
export const toolTimeLimitEntry = defineCatalogueEntry({
  name: 'tool-time-limit',
  description: 'Limits the duration of tool calls.',
  events: ['preActing', 'actingChunk', 'postActing'],
  approves: false,
  optionsSchema: toolTimeLimitOptionsSchema,
  example: { limits: [{ tools: ['run_command'], ms: 120_000 }, { ms: 30_000 }] },
  weakens: weakensUnless({ limits: (before, after) => loosens(before, after, 'ms') }),
  create: toolTimeLimit,
});
