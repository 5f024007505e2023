import type { CompiledConfig } from '../../config/index.ts';
import type { GuardedHost, HostName } from '../../config/reach/host-parts.ts';
import { namedTools } from '../../config/reach/named-tools.ts';
import { offeredTools } from '../setup/offered-tools.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import { loadTools } from './load-tools.ts';

/** Returns the host of a Hookline agent in a workspace. */
export function guardedHost(
  name: 'run' | 'serve',
  { settings: { agent, tools } }: CompiledConfig,
  workspace: string,
): GuardedHost {
  const offered = offeredTools(loadTools().workspaceTools({ root: workspace }), tools);
  return { name, workspace, tools: offered, agents: [agent?.name ?? 'hookline'] };
}

/** Returns the host for the check of a configuration. If none was named, it may be any program with its own tools. */
export function checkedHost(name: HostName | undefined, config: CompiledConfig): GuardedHost {
  if (name === 'run' || name === 'serve')
    return guardedHost(name, config, workspaceOf(undefined, config.settings.workspace));
  if (name !== undefined) return { name };
  const named = config.hooks.some(({ entry }) => namedTools(entry).length > 0);
  return { name: 'run', typosOnly: true, ...(named && { tools: loadTools().workspaceTools({ root: '.' }) }) };
}
