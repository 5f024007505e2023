import { Observable } from 'rxjs';
import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import type { ToolItem } from '../../pipeline/define/tool.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { loosens } from '../loosens.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';

/** How many of the printed characters are told with the notice that the time is up. */
const KEPT = 50_000;

const limitSchema = z.strictObject({
  tools: z
    .array(z.string().min(1))
    .min(1)
    .exactOptional()
    .describe('Names of tools; * and ? are wildcards. Default: all.'),
  ms: timerMs().describe('How long a call may run, in milliseconds.'),
});

/** The options of `toolTimeLimit` with their defaults. */
export const toolTimeLimitOptionsSchema = z.strictObject({
  name: z.string().min(1).default('tool-time-limit').describe('Name of the hook.'),
  limits: z.array(limitSchema).min(1, 'needs at least one limit').describe('The first that fits a tool holds for it.'),
});

/** The options of `toolTimeLimit` as they are given. */
export type ToolTimeLimitOptions = z.input<typeof toolTimeLimitOptionsSchema>;

/**
 * Bounds how long a tool runs. When its time is up its signal aborts, and the model is told so, with what the tool has printed by then.
 *
 * Calls at once and sub-agents: each call has its own time; one that runs a sub-agent takes the sub-agent's time with it. Retry: each run of a
 * tool begins anew. Suspend and resume: a call that waits for an answer does not run yet.
 */
export function toolTimeLimit(options: ToolTimeLimitOptions): Hook {
  const { name, limits } = parseHookOptions('tool-time-limit', toolTimeLimitOptionsSchema, options);
  const tests = limits.map(({ tools = ['*'], ms }) => ({ fits: createMatcher(tools), ms }));
  return defineHook({
    name,
    description: 'Bounds how long a tool runs.',
    // Within wrappers that try again: each of their tries has the time.
    priority: HookPriority.METRICS,
    around: {
      acting({ toolCall }, next, { scheduler }) {
        const limit = tests.find(({ fits }) => fits(toolCall.name));
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

/** The catalogue entry of `toolTimeLimit`. */
export const toolTimeLimitEntry = defineCatalogueEntry({
  name: 'tool-time-limit',
  description: 'Bounds how long a tool runs.',
  events: ['preActing', 'actingChunk', 'postActing'],
  approves: false,
  optionsSchema: toolTimeLimitOptionsSchema,
  example: { limits: [{ tools: ['run_command'], ms: 120_000 }, { ms: 30_000 }] },
  weakens: weakensUnless({ limits: (before, after) => loosens(before, after, 'ms') }),
  create: toolTimeLimit,
});
