import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

export type SettingsHost = keyof typeof places;

interface Places {
  /** Files and folders, relative to the folder of the user. */
  readonly user: readonly string[];
  /** The variable that replaces the first folder of `user`. */
  readonly variable?: string;
  /** Files and folders, relative to the project. */
  readonly project: readonly string[];
  readonly machine?: readonly string[];
}

const places = {
  claude: {
    user: ['.claude/settings.json', '.claude/hooks'],
    variable: 'CLAUDE_CONFIG_DIR',
    project: ['.claude/settings.json', '.claude/settings.local.json', '.claude/hooks'],
    machine: ['/etc/claude-code'],
  },
  codex: {
    user: ['.codex/hooks.json', '.codex/config.toml', '.codex/requirements.toml', '.codex/.env'],
    variable: 'CODEX_HOME',
    project: ['.codex'],
    machine: ['/etc/codex'],
  },
  cursor: {
    user: ['.cursor/hooks.json', '.cursor/hooks'],
    project: ['.cursor/hooks.json', '.cursor/hooks'],
    machine: ['/etc/cursor'],
  },
  gemini: {
    // It runs no hook in a folder that is not trusted.
    user: ['.gemini/settings.json', '.gemini/trustedFolders.json', '.gemini/.env'],
    project: ['.gemini/settings.json', '.gemini/.env'],
    machine: ['/etc/gemini-cli'],
  },
  copilot: {
    user: ['.copilot/hooks', '.copilot/settings.json'],
    variable: 'COPILOT_HOME',
    project: ['.github/hooks', '.github/copilot'],
    machine: ['/etc/github-copilot'],
  },
  opencode: {
    user: ['.config/opencode'],
    variable: 'XDG_CONFIG_HOME',
    project: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  },
  windsurf: {
    user: ['.codeium/windsurf/hooks.json'],
    project: ['.windsurf/hooks.json', '.devin'],
    machine: ['/etc/windsurf'],
  },
  kiro: { user: ['.kiro/agents', '.kiro/hooks'], project: ['.kiro/agents', '.kiro/hooks'] },
  picoclaw: { user: ['.picoclaw/config.json'], project: [] },
} as const satisfies Readonly<Record<string, Places>>;

export function userFolder(host: SettingsHost): string {
  const { user, variable }: Places = places[host];
  const moved = variable === undefined ? undefined : process.env[variable];
  const [first = ''] = (user[0] ?? '').split('/');
  return moved && isAbsolute(moved) ? moved : join(homedir(), first);
}

/** Returns the absolute paths of the hook settings of all hosts, for a project. */
export function settingsPaths(project: string): readonly string[] {
  return Object.entries(places).flatMap(([host, { user, project: own, machine = [] }]: [string, Places]) => [
    ...user.map((path) => join(userFolder(host as SettingsHost), path.slice(path.indexOf('/') + 1))),
    ...own.map((path) => join(project, path)),
    ...machine,
  ]);
}

/** Returns the files from which hosts load variables into their hooks: in the folder of a session, and in all above. */
export function variableFiles(folder: string): readonly string[] {
  const above = dirname(folder);
  return [join(folder, '.env'), ...(above === folder ? [join(homedir(), '.env')] : variableFiles(above))];
}
