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

/** Inside `tool-retry`, so that it sees one attempt at a time, and outside a limit of time, which does not hold for calls that wait. */
const INSIDE_RETRY = 560;

/** A call that runs; others of the same key wait for what it comes to. */
interface Flight {
  readonly run: RunInfo;
  readonly landed: Subject<void>;
}

/** How an answer came without the tool. */
interface Served {
  readonly ageMs: number;
}

/**
 * Answers repeated calls of tools that read with what they gave before: the same tool and input, of the same agent and user. Of calls at once
 * one runs, and the others get its answer. Errors, calls with sealed values and overlong answers are not kept, and whatever is written
 * makes it forget the answers of whoever wrote.
 *
 * Sub-agents: agents of other names have their own answers. Retry: an attempt that fails is not kept, and the next one is answered as any
 * call. Suspend and resume: answers stay in this process. Approvers judge each call, whether the tool runs or not.
 */
export function toolCache(options: ToolCacheOptions): Hook {
  const { name, tools, ttlMs, per, forgetAfter, maxAnswers, maxChars, maxAnswerChars } = parseHookOptions(
    'tool-cache',
    toolCacheOptionsSchema,
    options,
  );
  const fits = createMatcher(tools);
  const store = createAnswerStore(maxAnswers, maxChars);
  const flights = new Map<string, Flight>();
  /** How often the answers of each owner were forgotten while some of his calls ran: what they give is old already. */
  const forgotten = new Map<string, number>();
  const served = new WeakMap<ToolCall, Served>();

  /** Whose answers these are, by user or session: what one of his agents writes another one may have read. */
  function ownerOf(run: RunInfo): string {
    const userId = userOf(run);
    const { sessionId } = run;
    const user = userId === undefined ? ['session', sessionId] : ['user', userId];
    return JSON.stringify([per.includes('user') && user, per.includes('session') && [userId ?? '', sessionId]]);
  }

  /** The answer that there is, or what `next` gives; of calls at once one after the other looks again. */
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
      // Whoever works for the one that runs would wait for itself.
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
    description: 'Answers repeated calls of tools that only read.',
    priority: INSIDE_RETRY,
    around: {
      acting(event, next, context) {
        const { permission, toolCall, run } = event;
        // Before and after: what is read while it runs may be either.
        if (forgetAfter.includes(permission)) {
          const owner = ownerOf(run);
          return defer(() => {
            forget(owner);
            return next().pipe(finalize(() => forget(owner)));
          });
        }
        if (permission !== 'read' || !fits(toolCall.name) || isSealed(toolCall)) return next();
        return answer(event, next, context);
      },
    },
    on: {
      postActing(event) {
        const from = served.get(event.toolCall);
        if (!from) return undefined;
        const message = `The answer is ${Math.round(from.ageMs / 1_000)} s old; the tool did not run.`;
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

/** A copy of an item. Of an error, or of what has begun something that goes on, nobody else has anything. */
function keepable(item: ToolItem): ToolItem | undefined {
  if (typeof item === 'string') return item;
  const { success, data } = toolResultSchema.safeParse(item);
  return success && !(data.isError || data.async || data.handled) ? deepFreeze(data) : undefined;
}

/** The text in one piece, before the result. */
function joined(items: readonly ToolItem[]): readonly ToolItem[] {
  const text = items.filter((item) => typeof item === 'string').join('');
  const results = items.filter((item) => typeof item !== 'string');
  return text === '' ? results : [text, ...results];
}

function sizeOf(item: ToolItem): number {
  return typeof item === 'string' ? item.length : JSON.stringify(item).length;
}

/** The catalogue entry of `toolCache`. */
export const toolCacheEntry = defineCatalogueEntry({
  name: 'tool-cache',
  description: 'Answers repeated calls of tools that only read with what they gave before.',
  events: ['preActing', 'actingChunk', 'postActing'],
  approves: false,
  optionsSchema: toolCacheOptionsSchema,
  example: { tools: ['search_*', 'read_file'], ttlMs: 60_000 },
  weakens: weakensUnless({
    tools: 'mayShrink',
    ttlMs: 'mayFall',
    per: 'mayGrow',
    forgetAfter: 'mayGrow',
    maxAnswers: 'free',
    maxChars: 'free',
    maxAnswerChars: 'free',
  }),
  create: (options) => toolCache(options),
});
