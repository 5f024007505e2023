import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where programs of this user keep their state: out of reach of the tools of an agent, and of its searches. */
export function stateFolder(): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (xdg && isAbsolute(xdg)) return xdg;
  if (process.platform === 'win32' && local) return local;
  return join(homedir(), '.local', 'state');
}

/** Where the hooks of all commands keep what outlives a run. */
export function hooksFolder(): string {
  return join(stateFolder(), 'hookline', 'hooks');
}
