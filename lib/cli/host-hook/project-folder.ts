import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
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

/** Returns the nearest folder above with a repository; `folder` if there is none. */
export function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return folder;
  }
}
