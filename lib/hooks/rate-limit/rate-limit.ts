import { concat, concatMap, from, ignoreElements, map, type Observable, of, timer } from 'rxjs';
import { z } from 'zod';
import { abort } from '../../events/decisions/abort.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import { defineState } from '../../pipeline/define/state.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import type { StoreKey } from '../../store/state/state-store.ts';
import { updateState } from '../../store/state/update-state.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { type HookHost, requirePart } from '../hook-host.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { take, type Used, usedSchema } from './meter.ts';
import { type Limit, type RateLimitOptions, rateLimitOptionsSchema } from './rate-limit-options.ts';

/** Behind all usual approvers: a call that one of them denies is not counted. */
const LAST = 900;
/** Calls of a run that were counted already, for when they are judged again after a suspension. */
const REMEMBERED = 1_000;

interface Counter extends Limit {
  readonly key: (run: RunInfo, tool: string) => StoreKey;
  applies(tool: string): boolean;
}

/** Why something may not be done now. */
interface Refusal {
  readonly counter: Counter;
  readonly waitMs: number;
}

/**
 * Limits how often tools are called, and how often or with how many tokens the model is asked. A call over a limit is denied and the model
 * told how long to wait; a question over one aborts the run. With `maxWaitMs` both wait in line first.
 *
 * Calls at once: each takes its place in one step, also in other processes that share the store. Sub-agents: they count where the limit is
 * per user, agent or for all, and per session of their own. Retry: each question and each call counts. Suspend and resume: a call that was
 * counted is not counted again. If the store fails, calls are denied and questions fail.
 */
export function rateLimit(options: RateLimitOptions, host: HookHost = {}): Hook {
  const { name, limits } = parseHookOptions('rate-limit', rateLimitOptionsSchema, options);
  const given = host.store;
  let own: typeof given;
  const inLine = oneAtATime();
  const counters = limits.map((limit, index) => counterOf(limit, [name, String(index)]));
  const ofCalls = counters.filter((counter) => counter.of === 'calls');
  const ofReasonings = counters.filter((counter) => counter.of !== 'calls');
  const ofTokens = counters.filter((counter) => counter.of === 'tokens');
  const counted = defineState({ name: `${name}.counted`, schema: z.array(z.string()), initial: [] });

  function storeFor({ scheduler }: HookContext) {
    own ??= given ?? memoryStateStore({ now: () => scheduler.now() });
    return own;
  }

  /** Takes from one counter, waiting as long as it may; gives why not, or nothing. Of tokens nobody knows yet how many it will be. */
  function takeFrom(counter: Counter, tool: string, context: HookContext): Observable<Refusal | undefined> {
    const key = counter.key(context.run, tool);
    const until = context.scheduler.now() + counter.maxWaitMs;
    const attempt = (): Observable<Refusal | undefined> =>
      updateState<Refusal | undefined>(storeFor(context), key, (value) => {
        const taken = take(counter, usedIn(value), 1, context.scheduler.now());
        if ('waitMs' in taken) return { result: { counter, waitMs: taken.waitMs } };
        if (counter.of === 'tokens') return { result: undefined };
        return { value: taken.used, ttlMs: 2 * counter.windowMs, result: undefined };
      }).pipe(
        concatMap((refusal) =>
          refusal && context.scheduler.now() + refusal.waitMs <= until
            ? timer(refusal.waitMs, context.scheduler).pipe(concatMap(attempt))
            : of(refusal),
        ),
      );
    return counter.maxWaitMs > 0 ? inLine(JSON.stringify(key), attempt) : attempt();
  }

  /** Takes from all counters in turn. The first that refuses ends it, and the others get back what was taken. */
  function takeAll(counters: readonly Counter[], tool: string, context: HookContext): Observable<Refusal | undefined> {
    const [counter, ...rest] = counters;
    if (!counter) return of(undefined);
    return takeFrom(counter, tool, context).pipe(
      concatMap((refusal) => (refusal ? of(refusal) : takeAll(rest, tool, context).pipe(concatMap(giveBack)))),
    );
    function giveBack(refusal: Refusal | undefined): Observable<Refusal | undefined> {
      if (!refusal || refusal.counter === counter || counter?.of === 'tokens') return of(refusal);
      return spend(counter as Counter, -1, tool, context).pipe(map(() => refusal));
    }
  }

  /** What was used cannot be refused any more. */
  function spend(counter: Counter, amount: number, tool: string, context: HookContext): Observable<void> {
    return updateState<void>(storeFor(context), counter.key(context.run, tool), (value) => {
      const taken = take(counter, usedIn(value), amount, context.scheduler.now(), true);
      return { ...('used' in taken && { value: taken.used, ttlMs: 2 * counter.windowMs }), result: undefined };
    });
  }

  function spendTokens({ inputTokens, outputTokens }: Usage, context: HookContext): Observable<never> {
    return from(ofTokens).pipe(
      concatMap((counter) => spend(counter, inputTokens + outputTokens, '', context)),
      ignoreElements(),
    );
  }

  return defineHook({
    name,
    description: 'Limits calls, questions to the model and tokens by time.',
    priority: LAST,
    // Waiting has its own bound.
    timeoutMs: Number.POSITIVE_INFINITY,
    ...(ofCalls.length > 0 && {
      approve: function rateLimit({ toolCall: { id, name: tool } }, context) {
        const cell = context.state(counted);
        const mine = ofCalls.filter(({ applies }) => applies(tool));
        if (mine.length === 0 || context.dryRun || cell.get().includes(id)) return verdict.allow();
        return takeAll(mine, tool, context).pipe(
          map((refusal) => {
            if (refusal) return verdict.deny(told(refusal, tool));
            cell.update((ids) => [...ids, id].slice(-REMEMBERED));
            return verdict.allow();
          }),
        );
      },
    }),
    ...(ofReasonings.length > 0 && {
      on: {
        preReasoning: (event, context) =>
          takeAll(ofReasonings, '', context).pipe(
            map((refusal) => (refusal ? abort(event, told(refusal, 'the model')) : event)),
          ),
      },
    }),
    ...(ofTokens.length > 0 && {
      // Where the model is asked, for every attempt counts, and other hooks may end the run right behind it.
      around: {
        reasoning: (_, next, context) =>
          next().pipe(
            concatMap((chunk) =>
              chunk.type === 'finish' && chunk.usage ? concat(spendTokens(chunk.usage, context), of(chunk)) : of(chunk),
            ),
          ),
      },
    }),
  });
}

function usedIn(value: JsonValue | undefined): Used | undefined {
  const used = usedSchema.safeParse(value);
  return used.success ? used.data : undefined;
}

function counterOf(limit: Limit, prefix: readonly [string, ...string[]]): Counter {
  const tools = limit.tools && createMatcher(limit.tools);
  const scopes: Readonly<Record<Limit['per'][number], (run: RunInfo, tool: string) => string>> = {
    tool: (_, tool) => tool,
    user: ({ userId, sessionId }) => (userId === undefined ? `session ${sessionId}` : `user ${userId}`),
    session: ({ sessionId, userId = '' }) => JSON.stringify([userId, sessionId]),
    agent: ({ agent }) => agent,
    run: ({ runId }) => runId,
  };
  return {
    ...limit,
    key: (run, tool) => ['rate-limit', ...prefix, ...limit.per.flatMap((one) => [one, scopes[one](run, tool)])],
    applies: (tool) => tools?.(tool) ?? true,
  };
}

function told({ counter: { of: what, max, windowMs, per }, waitMs }: Refusal, of$: string): string {
  const whose = per.length === 0 ? '' : ` per ${per.join(' and ')}`;
  const wait = Number.isFinite(waitMs) ? `Try again in ${Math.ceil(waitMs / 1_000)} s.` : 'It can never do.';
  return `The limit of ${max} ${what}${whose} in ${windowMs / 1_000} s is reached for ${of$}. ${wait}`;
}

/** The catalogue entry of `rateLimit`. A limit that is gone, or that differs from the one in its place in more than a lower `max`, weakens it. */
export const rateLimitEntry = defineCatalogueEntry({
  name: 'rate-limit',
  description: 'Limits calls, questions to the model and tokens by time.',
  events: ['preActing', 'preReasoning', 'reasoningChunk'],
  optionsSchema: rateLimitOptionsSchema,
  example: { limits: [{ of: 'calls', tools: ['fetch_*'], per: ['user', 'tool'], max: 10, windowMs: 60_000 }] },
  weakens: (before, after) =>
    before.limits.some((limit, at) => {
      const now = after.limits[at];
      return !now || now.max > limit.max || JSON.stringify({ ...now, max: 0 }) !== JSON.stringify({ ...limit, max: 0 });
    }),
  create: (options, host) => rateLimit(options, { store: requirePart(host, 'store', 'rate-limit') }),
});
