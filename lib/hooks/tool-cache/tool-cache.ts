import { concatMap, defer, finalize, from, type Observable, Subject, take, tap } from 'rxjs';
import { modify } from '../../events/decisions/modify.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { toolResultSchema } from '../../events/parts/tool-result.ts';
import { userOf } from '../../events/parts/user-of.ts';
import type { PreActing } from '../../events/pre-acting.ts';
import { deepFreeze } from '../../events/values/deep-freeze.ts';
import { walk } from '../../events/values/sealed-placeholder.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import type { ToolItem } from '../../pipeline/define/tool.ts';
import { callKey } from '../call-key.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { createAnswerStore } from './answer-store.ts';
import { type ToolCacheOptions, toolCacheOptionsSchema } from './tool-cache-options.ts';

/** Inside `tool-retry`, to see one attempt at a time, and outside a timeout, which must not apply to waiting calls. */
const INSIDE_RETRY = 560;

/** A running call. Equal calls wait for its result. */
interface Flight {
  readonly run: RunInfo;
  readonly landed: Subject<void>;
}

interface Served {
  readonly ageMs: number;
}

/**
 * Answers a repeated call of a read-only tool with the cached result: the same tool and input, of the same agent and user. Errors, calls
 * with sealed values and long results are not cached. A write by the same user or session clears its results. Approvers judge each call,
 * also a cached one.
 *
 * - Parallel calls: One of several equal calls runs, and the others receive its result.
 * - Sub-agents: Agents of other names have their own results.
 * - Retry: A failed attempt is not cached. The next attempt is answered as any call.
 * - Suspend and resume: Results stay in this process.
 * - Cost: Memory for up to `maxChars` characters. No model request.
 */
export function toolCache(options: ToolCacheOptions): Hook {
  const { name, tools, ttlMs, per, forgetAfter, maxAnswers, maxChars, maxAnswerChars } = parseHookOptions(
    'tool-cache',
    toolCacheOptionsSchema,
    options,
  );
  const matches = createMatcher(tools);
  const store = createAnswerStore(maxAnswers, maxChars);
  const flights = new Map<string, Flight>();
  /** The number of invalidations of each owner with running calls, whose results are then outdated. */
  const forgotten = new Map<string, number>();
  const served = new WeakMap<ToolCall, Served>();

  /** Returns the owner of answers, by user or session: one agent's write may change what another one has read. */
  function ownerOf(run: RunInfo): string {
    const userId = userOf(run);
    const { sessionId } = run;
    const user = userId === undefined ? ['session', sessionId] : ['user', userId];
    return JSON.stringify([per.includes('user') && user, per.includes('session') && [userId ?? '', sessionId]]);
  }

  /** Returns the cached answer or the output of `next`. Concurrent calls check the cache one after the other. */
  function answer(event: PreActing, next: () => Observable<ToolItem>, context: HookContext): Observable<ToolItem> {
    const owner = ownerOf(event.run);
    const agent = per.includes('agent') ? event.run.agent : '';
    const key = JSON.stringify([owner, agent, callKey(event.toolCall)]);
    const look = (): Observable<ToolItem> => {
      const now = context.scheduler.now();
      const kept = store.get(key, now);
      if (kept) {
        served.set(event.toolCall, { ageMs: now - kept.since });
        return from(kept.items);
      }
      const flight = flights.get(key);
      // A call of a sub-agent of the running call would wait for itself.
      if (flight && flight.run.depth >= event.run.depth) return flight.landed.pipe(take(1), concatMap(look));
      return flight ? next() : fly(owner, key, event.run, next, context);
    };
    return defer(look);
  }

  function fly(
    owner: string,
    key: string,
    run: RunInfo,
    next: () => Observable<ToolItem>,
    { scheduler }: HookContext,
  ): Observable<ToolItem> {
    const flight: Flight = { run, landed: new Subject() };
    flights.set(key, flight);
    const before = forgotten.get(owner);
    const items: ToolItem[] = [];
    let size = 0;
    let keeps = true;
    return next().pipe(
      tap({
        next(item) {
          const kept = keeps ? keepable(item) : undefined;
          size += kept === undefined ? 0 : sizeOf(kept);
          keeps = kept !== undefined && size <= maxAnswerChars;
          if (keeps && kept !== undefined) items.push(kept);
          else items.length = 0;
        },
        complete() {
          const since = scheduler.now();
          if (keeps && forgotten.get(owner) === before)
            store.set(owner, key, { items: joined(items), since, until: since + ttlMs, size });
        },
      }),
      finalize(() => {
        flights.delete(key);
        if (flights.size === 0) forgotten.clear();
        flight.landed.next();
      }),
    );
  }

  function forget(owner: string): void {
    store.forget(owner);
    if (flights.size > 0) forgotten.set(owner, (forgotten.get(owner) ?? 0) + 1);
  }

  return defineHook({
    name,
    description: 'Caches results of read-only tools.',
    priority: INSIDE_RETRY,
    around: {
      acting(event, next, context) {
        const { permission, toolCall, run } = event;
        // Before and after, because a read during the write may return either state.
        if (forgetAfter.includes(permission)) {
          const owner = ownerOf(run);
          return defer(() => {
            forget(owner);
            return next().pipe(finalize(() => forget(owner)));
          });
        }
        if (permission !== 'read' || !matches(toolCall.name) || isSealed(toolCall)) return next();
        return answer(event, next, context);
      },
    },
    on: {
      postActing(event) {
        const from = served.get(event.toolCall);
        if (!from) return undefined;
        const message = `The result comes from the cache and is ${Math.round(from.ageMs / 1_000)} s old; the tool did not run.`;
        return modify(event, {}, { note: { code: 'tool-cached', message, data: { ageMs: from.ageMs } } });
      },
    },
  });
}

function isSealed({ input }: ToolCall): boolean {
  let sealed = false;
  walk(input, '', () => {
    sealed = true;
    return undefined;
  });
  return sealed;
}

/** Copies an item. Returns undefined for an error, or for a result that started further work. */
function keepable(item: ToolItem): ToolItem | undefined {
  if (typeof item === 'string') return item;
  const { success, data } = toolResultSchema.safeParse(item);
  return success && !(data.isError || data.async || data.handled) ? deepFreeze(data) : undefined;
}

/** Joins the text before the result. */
function joined(items: readonly ToolItem[]): readonly ToolItem[] {
  const text = items.filter((item) => typeof item === 'string').join('');
  const results = items.filter((item) => typeof item !== 'string');
  return text === '' ? results : [text, ...results];
}

function sizeOf(item: ToolItem): number {
  return typeof item === 'string' ? item.length : JSON.stringify(item).length;
}

/** @internal The catalogue entry of `toolCache`. */
export const toolCacheEntry = defineCatalogueEntry({
  name: 'tool-cache',
  description: 'Answers repeated calls of read-only tools from a cache.',
  events: ['preActing', 'actingChunk', 'postActing'],
  approves: false,
  optionsSchema: toolCacheOptionsSchema,
  example: { tools: ['search_*', 'read_file'], ttlMs: 60_000 },
  weakens: weakensUnless({ tools: 'mayShrink', ttlMs: 'mayFall', per: 'mayGrow', forgetAfter: 'mayGrow' }, [
    'maxAnswers',
    'maxChars',
    'maxAnswerChars',
  ]),
  create: (options) => toolCache(options),
});
