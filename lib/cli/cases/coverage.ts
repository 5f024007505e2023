import type { HookLease } from '../../config/live/generation.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { type CaseResult, namesRule } from './compare.ts';
import { type CoveredRule, policyRules } from './covered-rule.ts';
import { isShadowed } from './shadowed.ts';

/** What no case reaches in a policy. */
export interface Coverage {
  readonly policy: readonly string[];
  /** Hooks that neither decide nor change anything in any case. */
  readonly hooks: readonly string[];
  /** Permission rules that decide no case. */
  readonly rules: readonly CoveredRule[];
  /** Permission rules that never decide, because an earlier rule matches everything that they match. */
  readonly shadowed: readonly (CoveredRule & { readonly by: string })[];
}

/** Returns what the cases of a policy do not reach. */
export function coverageOf(
  policy: readonly string[],
  { config, pipeline }: HookLease,
  results: readonly CaseResult[],
): Coverage {
  const acting = new Set(results.flatMap(({ outcome }) => actingIn(outcome)));
  const rules = policyRules({ config });
  return {
    policy,
    hooks: pipeline.hooks.filter((hook) => mayAct(hook) && !acting.has(hook.name)).map(({ name }) => name),
    rules: rules.filter((rule) => !results.some(({ outcome }) => reaches(outcome, rule))),
    shadowed: rules.flatMap((one, index) => {
      const by = rules.slice(0, index).find((other) => isShadowed(one, other));
      return by ? [{ ...one, by: by.rule }] : [];
    }),
  };
}

/** Returns whether a hook does more than observe. */
function mayAct({ on, through, around, approve }: Hook): boolean {
  return on !== undefined || through !== undefined || around !== undefined || approve !== undefined;
}

/** Returns whether a rule decides. A deny rule may have its own reason. */
export function reaches(outcome: CaseResult['outcome'], { hook, list, rule }: CoveredRule): boolean {
  const { by, reason, steps = [] } = outcome;
  const own = steps.filter((step) => step.hook === hook);
  if (by !== hook && !own.some(({ effect }) => effect === 'decided'))
    return namesRule({ ...outcome, reason: undefined, steps: own }, rule);
  if (namesRule({ ...outcome, steps: own }, rule)) return true;
  const given = list === 'deny' && rule.startsWith('{') ? JSON.parse(rule).reason : undefined;
  return typeof given === 'string' && by === hook && reason === `${given}.`;
}

function actingIn({ by, steps = [] }: CaseResult['outcome']): readonly string[] {
  // An approver that passes a call and gives a reason has allowed it.
  const acting = steps.filter(({ effect, reason }) =>
    effect === 'passed' ? reason !== undefined : effect !== 'skipped',
  );
  return [...(by === undefined ? [] : [by]), ...acting.map(({ hook }) => hook)];
}
