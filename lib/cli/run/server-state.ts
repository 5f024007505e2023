import { join } from 'node:path';
import type { CompiledConfig } from '../../config/index.ts';
import { workspaceFolder } from '../setup/state-folder.ts';
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
