import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';

/** Returns the state folder of this user. The tools and searches of an agent cannot access it. */
export function stateFolder(): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (xdg && isAbsolute(xdg)) return xdg;
  if (process.platform === 'win32' && local) return local;
  return join(homedir(), '.local', 'state');
}

/** Returns the state folder of the workspace at `root`. Other workspaces cannot access it. */
export function workspaceFolder(root: string): string {
  const name = basename(root).replace(/[^\w.-]/g, '_') || 'root';
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 8);
  return join(stateFolder(), 'hookline', `${name}-${hash}`);
}

/** Returns the folder where the hooks of all commands in that workspace keep data that outlives a run. */
export function hooksFolder(root: string): string {
  return join(workspaceFolder(root), 'hooks');
}
