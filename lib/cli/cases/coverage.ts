import type { HookLease } from '../../config/live/generation.ts';
import type { HookEntry } from '../../config/native-schema.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { type CaseResult, namesRule } from './compare.ts';

/** What no case reaches in a policy. */
export interface Coverage {
  readonly policy: readonly string[];
  /** Hooks that neither decide nor change anything in any case. */
  readonly hooks: readonly string[];
  /** Permission rules that decide no case. */
  readonly rules: readonly { readonly hook: string; readonly list: string; readonly rule: string }[];
  /** Permission rules that never decide, because an earlier rule matches everything that they match. */
  readonly shadowed: readonly {
    readonly hook: string;
    readonly list: string;
    readonly rule: string;
    readonly by: string;
  }[];
}

const LISTS = ['deny', 'ask', 'allow'] as const;

/** Returns what the cases of a policy do not reach. */
export function coverageOf(
  policy: readonly string[],
  { config, pipeline }: HookLease,
  results: readonly CaseResult[],
): Coverage {
  const acting = new Set(results.flatMap(({ outcome }) => actingIn(outcome)));
  const rules = config.hooks.flatMap(({ name, kind, entry }) =>
    kind.name === 'permission' ? rulesOf(name, entry) : [],
  );
  return {
    policy,
    hooks: pipeline.hooks.filter((hook) => mayAct(hook) && !acting.has(hook.name)).map(({ name }) => name),
    rules: rules.filter(({ rule }) => !results.some(({ outcome }) => namesRule(outcome, rule))),
    shadowed: rules.flatMap((one, index) => {
      const by = rules.slice(0, index).find((other) => covers(other, one));
      return by ? [{ ...one, by: by.rule }] : [];
    }),
  };
}

/** Returns whether a hook does more than observe. */
function mayAct({ on, through, around, approve }: Hook): boolean {
  return on !== undefined || through !== undefined || around !== undefined || approve !== undefined;
}

function actingIn({ by, steps = [] }: CaseResult['outcome']): readonly string[] {
  // An approver that passes a call and gives a reason has allowed it.
  const acting = steps.filter(({ effect, reason }) =>
    effect === 'passed' ? reason !== undefined : effect !== 'skipped',
  );
  return [...(by === undefined ? [] : [by]), ...acting.map(({ hook }) => hook)];
}

type Rule = Coverage['rules'][number];

function rulesOf(hook: string, { options = {} }: HookEntry): readonly Rule[] {
  return LISTS.flatMap((list) => {
    const given = options[list];
    const rules: readonly unknown[] = Array.isArray(given) ? given : [];
    return rules.map((rule) => ({ hook, list, rule: typeof rule === 'string' ? rule : JSON.stringify(rule) }));
  });
}

/** Returns whether a stricter or equal list has a rule with the same text, or a shorter prefix of the same tool. */
function covers(earlier: Rule, later: Rule): boolean {
  if (earlier.hook !== later.hook) return false;
  if (earlier.rule === later.rule) return true;
  const [a, b] = [earlier.rule, later.rule].map((rule) => /^([\w*]+)\((.*):\*\)$/.exec(rule));
  if (!a || !b || a[1] !== b[1]) return false;
  return b[2] === a[2] || (b[2] ?? '').startsWith(`${a[2]} `);
}
