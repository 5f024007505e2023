import type { HookLease } from '../../config/live/generation.ts';
import type { HookEntry } from '../../config/native-schema.ts';

const LISTS = ['deny', 'ask', 'allow'] as const;

/** A permission rule, as written in the policy. */
export interface CoveredRule {
  readonly hook: string;
  readonly list: (typeof LISTS)[number];
  readonly rule: string;
}

/** Returns the permission rules of a policy, in the order of their hooks. */
export function policyRules({ config }: Pick<HookLease, 'config'>): readonly CoveredRule[] {
  return config.hooks.flatMap(({ name, kind, entry }) => (kind.name === 'permission' ? rulesOf(name, entry) : []));
}

/** Deny takes precedence over ask, and ask over allow. */
function rulesOf(hook: string, { options = {} }: HookEntry): readonly CoveredRule[] {
  return LISTS.flatMap((list) => {
    const given = options[list];
    const rules: readonly unknown[] = Array.isArray(given) ? given : [];
    return rules.map((rule) => ({ hook, list, rule: typeof rule === 'string' ? rule : JSON.stringify(rule) }));
  });
}
