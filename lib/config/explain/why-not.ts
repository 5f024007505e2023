import type { Permission } from '../../events/parts/tool-description.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';

/** What hooks are matched against. */
export interface Matched {
  readonly agent: string;
  readonly tool: string;
  readonly permission: Permission;
}

/** The hooks that have no say about a call, and why not. */
export function whyNot(hooks: readonly Hook[], matched: Matched): { hook: string; why: string }[] {
  return hooks.flatMap((hook) => {
    const why = mismatch(hook, matched) ?? absence(hook);
    return why === undefined ? [] : [{ hook: hook.name, why }];
  });
}

/** Where the hooks that apply come in once the call runs. */
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
  if (agents && !createMatcher(agents)(agent)) return `is for the agents ${agents.join(', ')}`;
  if (tools && !createMatcher(tools)(tool)) return `is for the tools ${tools.join(', ')}`;
  if (permissions && !permissions.includes(permission)) return `is for tools that ${permissions.join(', ')}`;
  return undefined;
}

function absence({ on, approve, around, through, observe }: Hook): string | undefined {
  if (approve || typeof on === 'function' || on?.preActing) return undefined;
  if (around?.acting || through?.actingChunk || on?.postActing || on?.actingChunk) return 'comes in once the call runs';
  return observe ? 'only watches' : 'has no part in tool calls';
}
