import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
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

/** The variables of hosts with the folder in which the session began. The working directory changes with each `cd` of the agent. */
const VARIABLES: Readonly<Record<string, string>> = {
  claude: 'CLAUDE_PROJECT_DIR',
  cursor: 'CURSOR_PROJECT_DIR',
  gemini: 'GEMINI_PROJECT_DIR',
};

/** Returns the folder in which the session of a host began; `undefined` if the host does not report it. */
function startOfSession(host: HostName): string | undefined {
  const given = process.env[VARIABLES[host] ?? ''];
  if (given === undefined || !isAbsolute(given)) return undefined;
  return statSync(given, { throwIfNoEntry: false })?.isDirectory() ? realpathSync(given) : undefined;
}

/** Returns the folders of a project: where the agent works and where it began, those above with the configuration, and the repository. */
function projectFolders(folder: string, start: string, configs: readonly string[]): readonly string[] {
  const above = configs.map((file) => realpathSync(dirname(resolve(file)))).filter((one) => isAbove(one, folder));
  return [...new Set([folder, start, ...above, repositoryOf(start), repositoryOf(folder)])];
}

function isAbove(folder: string, path: string): boolean {
  return !/^\.\.(?:[\\/]|$)/.test(relative(folder, path));
}

/** Returns the nearest folder above with a repository; `folder` if there is none. */
function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return folder;
  }
}
