import { join, resolve } from 'node:path';
import type { HostName } from '../../config/reach/host-parts.ts';
import { hostFloor } from '../presets/host-floor.ts';
import { loadFlags } from '../presets/load-flags.ts';
import { configFiles } from '../presets/preset.ts';
import type { HookFlags, HookParts } from '../setup/configured-hooks.ts';
import { hooksFolder, stateFolder, workspaceFolder } from '../setup/state-folder.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import { socketFolder } from './daemon/daemon-place.ts';
import { settingsPaths, variableFiles } from './host-settings.ts';
import { policyFiles } from './policy-files.ts';
import { projectFolders, startOfSession } from './project-folder.ts';

/** Parts for the hooks of a host in a folder. */
export interface HostParts extends Required<Pick<HookParts, 'project' | 'floor'>> {
  readonly workspace: string;
  /** The folder in which the session began. */
  readonly home: string;
  /** The folder for hook data of the session. */
  readonly stateFolder: string;
}

/** Returns where a host works, and the hooks that keep its agent under its policy. */
export async function hostParts(flags: HookFlags, host: HostName, folder = ''): Promise<HostParts> {
  const files = configFiles(flags);
  const { config } = await loadFlags(flags);
  const workspace = workspaceOf(folder || undefined, config.settings.workspace, 'The directory of the event,');
  const home = startOfSession(host) ?? workspace;
  const project = projectFolders(workspace, home, files);
  const floor = hostFloor({
    settings: project.flatMap(settingsPaths),
    config: [...files.map((file) => resolve(file)), ...policyFiles(config, flags.hooks, home)],
    variables: [...new Set(project.flatMap(variableFiles))],
    state: join(stateFolder(), 'hookline'),
    tokens: join(workspaceFolder(home), 'server'),
    socket: socketFolder(),
  });
  return { workspace, home, project, floor, stateFolder: hooksFolder(home) };
}
