import { concatMap, from, ignoreElements, map, type Observable } from 'rxjs';
import { z } from 'zod';
import { abort } from '../../events/decisions/abort.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { defineState } from '../../pipeline/define/state.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { type HookHost, requirePart } from '../hook-host.ts';
import { loosens } from '../loosens.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { type CountedUsage, countReasoning } from '../tokens/count-reasoning.ts';
import { tokenCounter } from '../tokens/count-tokens.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { withoutUserNotices } from '../without-user.ts';
import { createCounter } from './counter.ts';
import { withLocalShare } from './local-share.ts';
import { type RateLimitOptions, rateLimitOptionsSchema } from './rate-limit-options.ts';
import { type Refusal, type Taker, takeAll } from './take-all.ts';
import { leasedUnits, storedUnits, type Units } from './units.ts';

/** After all usual approvers: a call that they deny is not counted. */
const LAST = 900;

/**
 * Limits the rate of tool calls, model requests and tokens. A call over a limit is denied, and the model receives the time to wait. A
 * model request over a limit aborts the run. With `maxWaitMs`, both queue first.
 *
 * If the store fails, calls are denied and model requests fail. With `localShare`, the process counts them by itself, up to its share.
 *
 * - Parallel calls: Each is counted in one atomic step, also across processes that share the store.
 * - Sub-agents: They share the counters of their user and agent, and have those of their own session.
 * - Retry: Each model request and each call counts.
 * - Suspend and resume: A counted call is not counted again.
 * - Cost: One access to the store for each counted call or request; of a store on another machine, one for a batch. With `maxWaitMs`, time in the
 *   queue.
 */
export function rateLimit(options: RateLimitOptions, host: HookHost = {}): Hook {
  const { name, limits, localShare } = parseHookOptions('rate-limit', rateLimitOptionsSchema, options);
  const given = host.store;
  let own: typeof given;
  let units: Units | undefined;
  let reportedEstimate = false;
  const inLine = oneAtATime();
  const count = tokenCounter(name, host.countTokens);
  const counters = limits.map((limit, index) => createCounter(limit, [name, String(index)]));
  const ofCalls = counters.filter((counter) => counter.of === 'calls');
  const ofReasonings = counters.filter((counter) => counter.of !== 'calls');
  const ofTokens = counters.filter((counter) => counter.of === 'tokens');
  /** Counted calls without a result, which are judged again after a suspension. */
  const counted = defineState({ name: `${name}.counted`, schema: z.array(z.string()), initial: [] });

  function storeFor({ scheduler }: HookContext) {
    own ??= given ?? memoryStateStore({ now: () => scheduler.now() });
    return own;
  }

  function unitsFor(context: HookContext): Units {
    if (units) return units;
    const store = storeFor(context);
    units = store.isRemote ? leasedUnits(store) : storedUnits(store);
    if (localShare > 0) units = withLocalShare(units, localShare, context.log);
    return units;
  }

  function takerOf(tool: string, context: HookContext): Taker {
    return { tool, context, units: unitsFor(context), inLine };
  }

  /** Usage that already happened cannot be refused. */
  function spend({ usage, estimated }: CountedUsage, context: HookContext): Observable<never> {
    if (estimated && !reportedEstimate) {
      reportedEstimate = true;
      context.log.warn('the provider does not report the token usage; Hookline counts the tokens');
    }
    const amount = usage.inputTokens + usage.outputTokens;
    return from(ofTokens).pipe(
      concatMap((counter) => {
        const source = { counter, key: counter.key(context.run, ''), scheduler: context.scheduler };
        return unitsFor(context).spend(source, amount);
      }),
      ignoreElements(),
    );
  }

  return defineHook({
    name,
    description: 'Rate-limits tool calls, model requests and tokens.',
    priority: LAST,
    // The wait has its own limit.
    timeoutMs: Number.POSITIVE_INFINITY,
    ...(ofCalls.length > 0 && {
      approve: function rateLimit({ toolCall: { id, name: tool } }, context) {
        const cell = context.state(counted);
        const mine = ofCalls.filter(({ applies }) => applies(tool));
        if (mine.length === 0 || context.dryRun || cell.get().includes(id)) return verdict.allow();
        return takeAll(mine, takerOf(tool, context)).pipe(
          map((refusal) => {
            if (refusal) return verdict.deny(describeRefusal(refusal, tool));
            cell.update((ids) => [...ids, id]);
            return verdict.allow();
          }),
        );
      },
    }),
    on: {
      ...(ofReasonings.length > 0 && {
        preReasoning(event, context) {
          // A hook has responded, so the model is not called.
          if (context.dryRun || event.decision) return event;
          return takeAll(ofReasonings, takerOf('', context)).pipe(
            map((refusal) => (refusal ? abort(event, describeRefusal(refusal, 'the model')) : event)),
          );
        },
      }),
      ...(ofCalls.length > 0 && {
        // A later message may reuse the ids of its calls.
        postActing({ toolCall: { id } }, context) {
          const cell = context.state(counted);
          if (cell.get().includes(id)) cell.update((ids) => ids.filter((one) => one !== id));
        },
      }),
    },
    ...(ofTokens.length > 0 && {
      // At the model request: every attempt counts, also a failed or cancelled one, and other hooks may end the run right after it.
      around: {
        reasoning: (event, next, context) => {
          const { log } = context;
          return countReasoning(event, next(), { count, log, spend: (used) => spend(used, context) });
        },
      },
    }),
  });
}

function describeRefusal({ counter: { of: what, max, windowMs, per }, waitMs }: Refusal, of$: string): string {
  const whose = per.length === 0 ? '' : ` per ${per.join(' and ')}`;
  const wait = Number.isFinite(waitMs)
    ? `Try again in ${Math.ceil(waitMs / 1_000)} s.`
    : 'It exceeds the limit on its own.';
  const counted = what === 'modelRequests' ? 'model requests' : what;
  return `The limit of ${max} ${counted}${whose} in ${windowMs / 1_000} s is reached for ${of$}. ${wait}`;
}

/** @internal The catalogue entry of `rateLimit`. A limit that is removed, or changed other than by a lower `max`, weakens it. */
export const rateLimitEntry = defineCatalogueEntry({
  name: 'rate-limit',
  description: 'Rate-limits tool calls, model requests and tokens.',
  events: ['preActing', 'postActing', 'preReasoning', 'reasoningChunk'],
  optionsSchema: rateLimitOptionsSchema,
  example: {
    limits: [
      { of: 'calls', tools: ['fetch_*'], per: ['user', 'tool'], withoutUser: 'shared', max: 10, windowMs: 60_000 },
    ],
  },
  weakens: weakensUnless({ limits: (before, after) => loosens(before, after, 'max'), localShare: 'mayFall' }),
  notices: ({ limits }) => withoutUserNotices(limits),
  create: (options, host) =>
    rateLimit(options, { store: requirePart(host, 'store', 'rate-limit'), countTokens: host.countTokens }),
});
