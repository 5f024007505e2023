import { concat, concatMap, defaultIfEmpty, defer, EMPTY, map, type Observable, of } from 'rxjs';
import { abort } from '../../events/decisions/abort.ts';
import { finish } from '../../events/decisions/finish.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { EventOf } from '../../events/hook-event.ts';
import type { Usage } from '../../events/parts/usage.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { defineState } from '../../pipeline/define/state.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import type { StateStore } from '../../store/state/state-store.ts';
import type { HookHost } from '../hook-host.ts';
import { lastQuestion } from '../last-question.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { createRunTrees } from '../run-trees.ts';
import { type CountedUsage, countReasoning } from '../tokens/count-reasoning.ts';
import { tokenCounter } from '../tokens/count-tokens.ts';
import { costOf, createPrices } from '../tokens/prices.ts';
import { createAccounts } from './accounts.ts';
import { type BudgetOptions, budgetOptionsSchema, type Resource } from './budget-options.ts';
import { countedMax, createLedger, type Spending } from './ledger.ts';
import { makeRunTree, type RunRecord, type RunTree, runRecordSchema } from './run-tree.ts';

/** After all usual hooks: calls that they deny are not counted, and the final model request is priced. */
const LAST = 900;
const OF_USAGE: readonly Resource[] = ['tokens', 'inputTokens', 'outputTokens', 'cost'];

type Noted = EventOf<'preReasoning' | 'postReasoning' | 'postActing'>;

/**
 * Limits the tokens, money, steps, calls and time of runs. At a limit it warns, makes the model answer once more without tools, or
 * aborts. Model requests of hooks (`context.ask`) count before the next request.
 *
 * If the store fails, calls are denied and model requests fail.
 *
 * - Parallel calls: Each is counted in one atomic step, also across processes that share the store. Concurrent model requests are checked
 *   before they begin, so each of them may exceed the limit once.
 * - Sub-agents: They spend the budget of the run, session and user that they work for.
 * - Retry: Every model request, every attempt and every call counts.
 * - Suspend and resume: A resumed run continues with the budget of the first run. The time in between is not counted, and a counted call
 *   is not counted again.
 * - Cost: One or more accesses to the store for each step and call. Counts tokens that the provider does not report.
 */
export function budget(options: BudgetOptions, host: HookHost = {}): Hook {
  const { name, limits, prices, currency } = parseHookOptions('budget', budgetOptionsSchema, options);
  let store = host.store;
  const recordKey = defineState<RunRecord>({
    name: `${name}.run`,
    schema: runRecordSchema,
    initial: { root: '', asked: false, refused: false, counted: [] },
  });
  const recordOf = (context: HookContext) => context.state(recordKey);
  const trees = createRunTrees((context) => makeRunTree(context, recordOf(context)));
  // Set by now, because treeOf runs first.
  const ledger = createLedger(name, limits, () => store as StateStore);
  const accounts = createAccounts(ledger, limits, currency);
  const priceOf = createPrices(name, prices);
  const count = tokenCounter(name, host.countTokens);
  const counts = (resource: Resource) => limits.some((limit) => limit.of === resource);
  /** Runs that are in their last model request. */
  const lastQuestions = new WeakSet<HookContext['run']>();
  /** The counted usage of hooks' model requests, and the model of the run. */
  const asked = new WeakMap<
    HookContext['run'],
    { readonly usage?: Usage | undefined; readonly model?: string | undefined }
  >();

  function treeOf(context: HookContext): RunTree {
    store ??= memoryStateStore({ now: () => context.scheduler.now() });
    return trees.of(context);
  }

  function withNotes<E extends Noted>(event: E, tree: RunTree): E {
    return tree.pendingNotes.splice(0).reduce<E>((noted, note) => modify(noted, {}, { note }), event);
  }

  /** Returns whether a limit is spent, so that no normal model request is allowed. */
  function isSpent({ limit, after }: Spending, context: HookContext): boolean {
    if (limit.onLimit === 'warn' || limit.of === 'steps') return false;
    // A run that has made its last call may not need another one.
    if (limit.of === 'calls' && limit.onLimit === 'abort' && !recordOf(context).get().refused) return false;
    return after >= countedMax(limit);
  }

  function ask(event: EventOf<'preReasoning'>, context: HookContext): Observable<EventOf<'preReasoning'>> {
    const tree = treeOf(context);
    const record = recordOf(context);
    const { asked } = record.get();
    if (!asked) record.update((known) => ({ ...known, asked: true }));
    return concat(accounts.spendTime(tree), spendAsked(context, event.model), accounts.look(tree)).pipe(
      map((spendings) => spendings.filter((spending) => isSpent(spending, context))),
      concatMap((spent) => (spent.length > 0 || !counts('steps') ? of(spent) : accounts.take(tree, 'steps'))),
      defaultIfEmpty<readonly Spending[], readonly Spending[]>([]),
      concatMap((spent) => {
        const worst = spent.find(({ limit }) => limit.onLimit === 'abort') ?? spent[0];
        return worst ? stop(event, worst, asked, context) : of(withNotes(event, tree));
      }),
    );
  }

  /** Handles a model request that exceeds the budget. */
  function stop(event: EventOf<'preReasoning'>, worst: Spending, asked: boolean, context: HookContext) {
    const tree = treeOf(context);
    return accounts.report(tree, worst).pipe(
      concatMap(({ message, data }) => {
        if (worst.limit.onLimit === 'abort') return of(abort(withNotes(event, tree), message));
        if (!asked) return of(abort(withNotes(event, tree), `${message} A new run cannot start.`));
        lastQuestions.add(context.run);
        context.log.warn({ ...data, code: 'budget-last' }, `${message} The model gives a last answer without tools.`);
        tree.pendingNotes.push({ code: 'budget-last', message, data });
        const counted = counts('steps') ? accounts.spend(tree, { steps: 1 }) : EMPTY;
        return concat(
          counted,
          defer(() => of(withNotes(lastQuestion(event, message), tree))),
        );
      }),
    );
  }

  function spend({ usage, estimated }: CountedUsage, tree: RunTree, model: string | undefined): Observable<never> {
    const { inputTokens, outputTokens } = usage;
    if (estimated) {
      const message = 'The provider did not report the token usage; Hookline counted the tokens.';
      tree.pendingNotes.push({ code: 'budget-estimated', message, data: { inputTokens, outputTokens } });
    }
    const cost = counts('cost') ? costOf(usage, priceOf(model)) : 0;
    return accounts.spend(tree, { tokens: inputTokens + outputTokens, inputTokens, outputTokens, cost }, estimated);
  }

  /** Counts model requests of hooks at the price of the run's model, because their own model is unknown. */
  function spendAsked(context: HookContext, model = asked.get(context.run)?.model): Observable<never> {
    return defer(() => {
      const { askedUsage: now, run } = context;
      const before = asked.get(run)?.usage;
      asked.set(run, { usage: now, model });
      return now && now !== before
        ? spend({ usage: usageSince(before, now), estimated: false }, treeOf(context), model)
        : EMPTY;
    });
  }

  return defineHook({
    name,
    description: 'Limits the tokens, cost, model requests, tool calls and time of runs.',
    priority: LAST,
    on: {
      preCall(_, context) {
        treeOf(context);
        trees.begin(context);
      },
      preReasoning(event, context) {
        // A hook has responded, so the model is not called.
        if (context.dryRun || event.decision) return event;
        if (counts('cost')) priceOf(event.model);
        return ask(event, context);
      },
      postReasoning(event, context) {
        const noted = withNotes(event, treeOf(context));
        // The last answer ends the run, even if it contains calls.
        return lastQuestions.has(context.run) ? finish(noted) : noted;
      },
      postActing(event, context) {
        const tree = treeOf(context);
        const record = recordOf(context);
        const { id } = event.toolCall;
        if (!record.get().counted.includes(id)) return withNotes(event, tree);
        record.update((known) => ({ ...known, counted: known.counted.filter((one) => one !== id) }));
        // Another hook denied the call after it was counted.
        const back = event.outcome === 'denied' ? accounts.giveBack(tree, 'calls') : EMPTY;
        return concat(
          back,
          defer(() => of(withNotes(event, tree))),
        );
      },
      postCall(event, context) {
        const tree = treeOf(context);
        if (tree.top !== event.run.runId) return;
        return accounts.spendTime(tree);
      },
    },
    ...(OF_USAGE.some(counts) && {
      around: {
        reasoning: (event, next, context) => {
          const tree = treeOf(context);
          const { log } = context;
          // Another hook may have replaced the model since.
          if (counts('cost')) priceOf(event.model);
          return countReasoning(event, next(), { count, log, spend: (used) => spend(used, tree, event.model) });
        },
      },
    }),
    ...(counts('calls') && {
      approve({ toolCall: { id } }, context) {
        const record = recordOf(context);
        if (context.dryRun || record.get().counted.includes(id)) return verdict.allow();
        const tree = treeOf(context);
        return accounts.take(tree, 'calls').pipe(
          defaultIfEmpty<readonly Spending[], readonly Spending[]>([]),
          concatMap(([worst]) => {
            record.update((known) =>
              worst ? { ...known, refused: true } : { ...known, counted: [...known.counted, id] },
            );
            if (!worst) return of(verdict.allow());
            return accounts
              .report(tree, worst)
              .pipe(map(({ message }) => verdict.deny(`${message} Answer without calling tools.`)));
          }),
        );
      },
    }),
    // Includes cancelled runs, because no other handler sees their end.
    observe(event, context) {
      if (event.type !== 'postCall') return;
      const asked$ = spendAsked(context);
      const tree = trees.end(event.run);
      if (!tree) return asked$;
      return concat(asked$, accounts.spendTime(tree), ledger.rest(tree.who, event.outcome !== 'suspended'));
    },
  });
}

function usageSince(before: Usage | undefined, now: Usage): Usage {
  const since = (tokens: (usage: Usage) => number | undefined) =>
    (tokens(now) ?? 0) - ((before && tokens(before)) ?? 0);
  return {
    inputTokens: since(({ inputTokens }) => inputTokens),
    outputTokens: since(({ outputTokens }) => outputTokens),
    cachedInputTokens: since(({ cachedInputTokens }) => cachedInputTokens),
  };
}
