import type { CompiledConfig } from '../../config/index.ts';
import type { GuardedHost } from '../../config/reach/idle-guards.ts';
import { workspaceTools } from '../../tools/index.ts';
import { offeredTools } from '../setup/offered-tools.ts';

/** What hooks can guard where an agent of ours works on a workspace. */
export function guardedHost(
  name: 'run' | 'serve',
  { settings: { agent, tools } }: CompiledConfig,
  workspace: string,
): GuardedHost {
  return {
    name,
    workspace,
    tools: offeredTools(workspaceTools({ root: workspace }), tools),
    agents: [agent?.name ?? 'hookline'],
  };
}
