import { join } from 'node:path';
import type { CompiledConfig } from '../../config/index.ts';
import { workspaceFolder } from '../setup/state-folder.ts';
import { workspaceOf } from '../setup/workspace-of.ts';

/** Flags that select the state directory of a server. */
export interface StateFlags {
  readonly state?: string;
  readonly workspace?: string;
}

/** State directory of a server, with its tokens, configurations, sessions and runs. Default: one per workspace. */
export function serverState({ state, workspace }: StateFlags, { settings }: CompiledConfig): string {
  return state ?? settings.server?.state ?? join(workspaceFolder(workspaceOf(workspace, settings.workspace)), 'server');
}
