import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { stateFolder } from './state-folder.ts';

/**
 * Where runs on the workspace at `root` are audited: in the user's state folder, since in the workspace the agent's own tools could
 * rewrite it, and find it when they search.
 */
export function auditPath(root: string): string {
  const name = basename(root).replace(/[^\w.-]/g, '_') || 'root';
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 8);
  return join(stateFolder(), 'hookline', `${name}-${hash}`, 'audit.jsonl');
}
