import type { CompiledConfig } from '../../config/index.ts';
import type { GuardedHost, HostName } from '../../config/reach/host-parts.ts';
import { namedTools } from '../../config/reach/named-tools.ts';
import { offeredTools } from '../setup/offered-tools.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import { loadTools } from './load-tools.ts';

/** What hooks can guard where an agent of ours works on a workspace. */
export function guardedHost(
  name: 'run' | 'serve',
  { settings: { agent, tools } }: CompiledConfig,
  workspace: string,
): GuardedHost {
  const offered = offeredTools(loadTools().workspaceTools({ root: workspace }), tools);
  return { name, workspace, tools: offered, agents: [agent?.name ?? 'hookline'] };
}

/** The host that a configuration is checked for. Unless one was named, it may be any program, with tools of its own. */
export function checkedHost(name: HostName | undefined, config: CompiledConfig): GuardedHost {
  if (name === 'run' || name === 'serve')
    return guardedHost(name, config, workspaceOf(undefined, config.settings.workspace));
  if (name !== undefined) return { name };
  const named = config.hooks.some(({ entry }) => namedTools(entry).length > 0);
  return { name: 'run', typosOnly: true, ...(named && { tools: loadTools().workspaceTools({ root: '.' }) }) };
}
