import { concat, concatMap, defer, EMPTY, from, ignoreElements, map, type Observable, of } from 'rxjs';
import type { JsonObject } from '../../events/values/json-value.ts';
import { BILLIONTHS } from '../tokens/prices.ts';
import type { BudgetLimit, Resource } from './budget-options.ts';
import { type Amounts, countedMax, type Ledger, type Spending } from './ledger.ts';
import type { RunTree } from './run-tree.ts';

/** The spending of a tree of runs, and its reports. The spending that passes a threshold gives the warning, once. */
export interface Accounts {
  look(tree: RunTree): Observable<readonly Spending[]>;
  spend(tree: RunTree, amounts: Amounts, estimated?: boolean): Observable<never>;
  /** Adds the time since the last count. It includes the time of sub-agents. */
  spendTime(tree: RunTree): Observable<never>;
  /** Takes one unit. Emits nothing if it was available, or else the spent limits. Limits that only warn never refuse. */
  take(tree: RunTree, resource: Resource): Observable<readonly Spending[]>;
  giveBack(tree: RunTree, resource: Resource): Observable<never>;
  report(tree: RunTree, spending: Spending): Observable<SpendingReport>;
}

export function createAccounts(ledger: Ledger, limits: readonly BudgetLimit[], currency: string): Accounts {
  const timed = limits.some((limit) => limit.of === 'ms');

  function report({ who }: RunTree, spending: Spending): Observable<SpendingReport> {
    return ledger
      .estimated(who, spending.limit)
      .pipe(map((estimated) => describeSpending(spending, estimated, currency)));
  }

  function warn(tree: RunTree, spendings: readonly Spending[]): Observable<never> {
    return from(spendings).pipe(
      concatMap((spending) => {
        const code = passedBy(spending);
        return code === undefined ? EMPTY : report(tree, spending).pipe(map((text) => ({ ...text, code })));
      }),
      concatMap(({ code, message, data }) => {
        tree.log.warn({ ...data, code }, message);
        tree.pendingNotes.push({ code, message, data });
        return EMPTY;
      }),
    );
  }

  function spend(tree: RunTree, amounts: Amounts, estimated?: boolean): Observable<never> {
    return ledger.spend(tree.who, amounts, estimated).pipe(concatMap((spendings) => warn(tree, spendings)));
  }

  const giveBack = (tree: RunTree, resource: Resource): Observable<never> =>
    ledger.spend(tree.who, { [resource]: -1 }).pipe(ignoreElements());

  return {
    look: ({ who }) => ledger.look(who),
    spend,
    spendTime: (tree) =>
      defer(() => {
        const now = tree.now();
        const ms = now - tree.countedTo;
        tree.countedTo = now;
        return timed && ms > 0 ? spend(tree, { ms }) : EMPTY;
      }),
    take(tree, resource) {
      const refusing = (spendings: readonly Spending[], one: number) =>
        spendings.filter(
          ({ limit, after }) => limit.of === resource && limit.onLimit !== 'warn' && after + one > limit.max,
        );
      return ledger.look(tree.who).pipe(
        concatMap((before) => {
          const none = refusing(before, 1);
          if (none.length > 0) return of(none);
          return ledger.spend(tree.who, { [resource]: 1 }).pipe(
            concatMap((after) => {
              // A concurrent run or process was faster, so the unit taken here is not counted.
              const late = refusing(after, 0).map((spending) => ({ ...spending, after: spending.limit.max }));
              return late.length > 0 ? concat(giveBack(tree, resource), of(late)) : warn(tree, after);
            }),
          );
        }),
      );
    },
    giveBack,
    report,
  };
}

/** Returns the code of the threshold that this spending passes: the limit, or the fraction of it that warns. */
function passedBy({ limit, before, after }: Spending): string | undefined {
  const max = countedMax(limit);
  const passes = (threshold: number) => before < threshold && threshold <= after;
  if (passes(max)) return 'budget-spent';
  return limit.warnAt !== undefined && passes(limit.warnAt * max) ? 'budget-near' : undefined;
}

const NAMES = {
  tokens: 'tokens',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  steps: 'steps',
  calls: 'tool calls',
} as const;

/** The spending of a limit: a sentence for people and models, and data for programs. */
interface SpendingReport {
  readonly message: string;
  readonly data: JsonObject;
}

/** Describes the spending of a limit and its estimated part. */
function describeSpending({ limit, after }: Spending, estimated: number, currency: string): SpendingReport {
  const { of: what, per, max } = limit;
  const unit = what === 'cost' ? BILLIONTHS : 1;
  const spent = after / unit;
  const marked = estimated > 0 ? ` (${figure(limit, estimated / unit, currency)} of that estimated)` : '';
  return {
    message: `${figure(limit, spent, currency)} of the budget of ${figure(limit, max, currency)} per ${per} are spent${marked}.`,
    data: { of: what, per, max, spent, ...(estimated > 0 && { estimated: estimated / unit }) },
  };
}

function figure({ of: what }: BudgetLimit, amount: number, currency: string): string {
  if (what === 'cost') return `${Number(amount.toPrecision(6))} ${currency}`;
  if (what === 'ms') return `${Number((amount / 1_000).toFixed(1))} s`;
  return `${amount.toLocaleString('en-US')} ${NAMES[what]}`;
}
