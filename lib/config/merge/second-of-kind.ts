import type { ConfigIssue } from '../issues/config-issue.ts';
import type { HookKind } from '../kinds/hook-kind.ts';
import type { HookEntry } from '../native-schema.ts';

interface Made {
  readonly name: string;
  readonly kind: HookKind;
  readonly entry: HookEntry;
  issue(path: readonly PropertyKey[], message: string): ConfigIssue;
}

/** Returns an issue for each hook of a kind with a maximum of one per agent (`onePerAgent`), if an earlier one applies to the same agents. */
export function duplicateIssues(hooks: readonly Made[]): readonly ConfigIssue[] {
  const single = hooks.filter(({ kind, entry }) => kind.onePerAgent && entry.enabled !== false);
  return single.flatMap((hook, at) => {
    const first = single.slice(0, at).find((other) => other.kind === hook.kind && overlap(other, hook));
    if (!first) return [];
    const message = `an agent can have only one hook of type ${hook.kind.name}, and "${first.name}" is one. Remove one, or limit each to its own agents: match: { agents: [..] }.`;
    return [hook.issue(['type'], message)];
  });
}

/** Returns whether both may apply to the same agent, as far as names show. */
function overlap({ entry: { match: a } }: Made, { entry: { match: b } }: Made): boolean {
  return !a?.agents || !b?.agents || a.agents.some((one) => b.agents?.includes(one));
}
