import { join } from 'node:path';
import { workspaceFolder } from './state-folder.ts';

/**
 * Returns the audit log file for runs in the workspace at `root`. It is in the user's state folder, because in the workspace the agent's own tools
 * could find and rewrite it.
 */
export function auditPath(root: string): string {
  return join(workspaceFolder(root), 'audit.jsonl');
}
