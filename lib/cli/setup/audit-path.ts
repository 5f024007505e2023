import { join } from 'node:path';
import { workspaceFolder } from './state-folder.ts';

/**
 * Where runs on the workspace at `root` are audited: in the user's state folder, since in the workspace the agent's own tools could
 * rewrite it, and find it when they search.
 */
export function auditPath(root: string): string {
  return join(workspaceFolder(root), 'audit.jsonl');
}
