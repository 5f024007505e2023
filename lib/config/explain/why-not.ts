import type { Permission } from '../../events/parts/tool-description.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';

/** The values that the criteria of hooks are matched against. */
export interface Matched {
  readonly agent: string;
  readonly tool: string;
  readonly permission: Permission;
}

/** Returns the hooks that do not apply to a call, with the reasons. */
export function whyNot(hooks: readonly Hook[], matched: Matched): { hook: string; why: string }[] {
  return hooks.flatMap((hook) => {
    const why = mismatch(hook, matched) ?? absence(hook);
    return why === undefined ? [] : [{ hook: hook.name, why }];
  });
}

/** Returns the stages at which the matching hooks act once the call runs. */
export function laterStages(hooks: readonly Hook[], matched: Matched): { hook: string; stages: string[] }[] {
  return hooks.flatMap((hook) => {
    const { on, through, around, observe } = hook;
    const all = typeof on === 'function';
    const stages = [
      ...(around?.acting ? ['around'] : []),
      ...(all || (typeof on === 'object' && on.actingChunk) || through?.actingChunk ? ['actingChunk'] : []),
      ...(all || (typeof on === 'object' && on.postActing) ? ['postActing'] : []),
      ...(observe ? ['observe'] : []),
    ];
    return stages.length === 0 || mismatch(hook, matched) ? [] : [{ hook: hook.name, stages }];
  });
}

function mismatch({ match }: Hook, { agent, tool, permission }: Matched): string | undefined {
  const { agents, tools, permissions } = match ?? {};
  if (agents && !createMatcher(agents)(agent)) return `applies to the agents ${agents.join(', ')}`;
  if (tools && !createMatcher(tools)(tool)) return `applies to the tools ${tools.join(', ')}`;
  if (permissions && !permissions.includes(permission))
    return `applies to tools with the permission ${permissions.join(', ')}`;
  return undefined;
}

function absence({ on, approve, around, through, observe }: Hook): string | undefined {
  if (approve || typeof on === 'function' || on?.preActing) return undefined;
  if (around?.acting || through?.actingChunk || on?.postActing || on?.actingChunk) return 'applies when the call runs';
  return observe ? 'only observes' : 'does not apply to tool calls';
}
