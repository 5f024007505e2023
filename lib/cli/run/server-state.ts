import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CompiledConfig } from '../../config/index.ts';
import { stateFolder, workspaceFolder } from '../setup/state-folder.ts';
import { workspaceOf } from '../setup/workspace-of.ts';

/** What tells where a server keeps its state. */
export interface StateFlags {
  readonly state?: string;
  readonly workspace?: string;
}

/** The folder of a server's tokens, configurations, sessions and runs: one for each workspace, unless a folder was named. */
export function serverState({ state, workspace }: StateFlags, { settings }: CompiledConfig): string {
  return state ?? settings.server?.state ?? join(workspaceFolder(workspaceOf(workspace, settings.workspace)), 'server');
}

/** What to say of the folder that all workspaces shared once, where this one has none of its own yet. */
export function oldStateNotice(state: string, flags: StateFlags, { settings }: CompiledConfig): string | undefined {
  const old = join(stateFolder(), 'hookline', 'server');
  if ((flags.state ?? settings.server?.state) !== undefined || existsSync(state) || !existsSync(old)) return undefined;
  return `this workspace gets a state folder of its own: ${state}. For the tokens and runs in ${old}, use --state ${old}`;
}
