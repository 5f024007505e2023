import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { HostName } from '../../config/reach/host-parts.ts';

/** The variables of hosts with the folder in which the session began. The working directory changes with each `cd` of the agent. */
const VARIABLES: Readonly<Record<string, string>> = {
  claude: 'CLAUDE_PROJECT_DIR',
  cursor: 'CURSOR_PROJECT_DIR',
  gemini: 'GEMINI_PROJECT_DIR',
};

/** Returns the folder in which the session of a host began; `undefined` if the host does not report it. */
export function startOfSession(host: HostName): string | undefined {
  const given = process.env[VARIABLES[host] ?? ''];
  if (given === undefined || !isAbsolute(given)) return undefined;
  return statSync(given, { throwIfNoEntry: false })?.isDirectory() ? realpathSync(given) : undefined;
}

/** Returns the folders of a project: where the agent works and where it began, those above with the configuration, and the repository. */
export function projectFolders(folder: string, start: string, configs: readonly string[]): readonly string[] {
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
