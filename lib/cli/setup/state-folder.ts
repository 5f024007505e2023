import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';

/** Where programs of this user keep their state: out of reach of the tools of an agent, and of its searches. */
export function stateFolder(): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (xdg && isAbsolute(xdg)) return xdg;
  if (process.platform === 'win32' && local) return local;
  return join(homedir(), '.local', 'state');
}

/** Where the state of the workspace at `root` is kept: that of another one is out of its reach. */
export function workspaceFolder(root: string): string {
  const name = basename(root).replace(/[^\w.-]/g, '_') || 'root';
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 8);
  return join(stateFolder(), 'hookline', `${name}-${hash}`);
}

/** Where the hooks of all commands on that workspace keep what outlives a run. */
export function hooksFolder(root: string): string {
  return join(workspaceFolder(root), 'hooks');
}
