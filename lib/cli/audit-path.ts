import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';

/**
 * Where runs on the workspace at `root` are audited: in the user's state folder, since in the workspace the agent's own tools could
 * rewrite it, and find it when they search.
 */
export function auditPath(root: string): string {
  const name = basename(root).replace(/[^\w.-]/g, '_') || 'root';
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 8);
  return join(stateFolder(), 'hookline', `${name}-${hash}`, 'audit.jsonl');
}

function stateFolder(): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (xdg && isAbsolute(xdg)) return xdg;
  if (process.platform === 'win32' && local) return local;
  return join(homedir(), '.local', 'state');
}
