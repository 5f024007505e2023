import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type DialectName, dialectNames } from '../dialects/dialect-names.ts';
import { userFolder } from '../host-settings.ts';

/** The programs of each host, and the part of its folder that only this host has. */
const marks: Readonly<Record<DialectName, readonly [programs: readonly string[], folder: string]>> = {
  claude: [['claude'], ''],
  codex: [['codex'], ''],
  cursor: [['cursor', 'cursor-agent'], ''],
  gemini: [['gemini'], ''],
  copilot: [['copilot'], ''],
  opencode: [['opencode'], 'opencode'],
  windsurf: [['windsurf'], 'windsurf'],
  kiro: [['kiro', 'kiro-cli'], ''],
};

/** Returns the hosts on this machine: those with a folder of settings or a program on the PATH. */
export function findHosts(): readonly DialectName[] {
  return dialectNames.filter((host) => {
    const [programs, folder] = marks[host];
    return existsSync(join(userFolder(host), folder)) || programs.some(isOnPath);
  });
}

function isOnPath(program: string): boolean {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => endings.some((ending) => isProgram(join(folder, program + ending))));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
