import type { PatchedFile } from '../action/applied-patch.ts';
import type { ToolAction } from '../action/tool-action.ts';

export type FileExists = (path: string) => boolean;

/** Cmdlets that destroy something, anywhere in a line: a script block may contain them. */
const CMDLET =
  /(?<![\w-])(?:remove-(?:item\w*|partition|physicaldisk|localuser|service|vm)|clear-(?:content|disk|item|recyclebin)|format-volume|stop-computer|restart-computer|initialize-disk)(?![\w-])/i;
/** Their short names, where a command begins. */
const SHORT = /(?:^|[;|&({\n])[ \t]{0,40}(ri|rd|del|erase|rm|rmdir|clc)(?=\s|$)/i;

/** Returns the irreversible effect of a patch, or of a line of PowerShell. Texts that other shells read are not judged. */
export function dangerOfAction(action: ToolAction, exists: FileExists): string | undefined {
  const { family, name, command, changes = [], unreadable } = action;
  if (name === 'PowerShell' && command !== undefined) {
    const line = command.replaceAll('`', '');
    const found = CMDLET.exec(line)?.[0] ?? SHORT.exec(line)?.[1];
    if (found !== undefined) return found.toLowerCase();
  }
  // A patch that cannot be read may delete anything.
  const applies = name === 'apply_patch' || (family === 'shell' && /\bapply_?patch\b/.test(command ?? ''));
  if (applies && unreadable !== undefined) return 'apply_patch';
  const change = changes.find((one) => isIrreversible(one, exists));
  return change && `${HEADERS[change.does]}: ${change.path}`;
}

const HEADERS: Readonly<Record<PatchedFile['does'], string>> = {
  add: 'Add File',
  update: 'Update File',
  delete: 'Delete File',
  leave: 'Update File',
  arrive: 'Move to',
};

function isIrreversible({ path, does }: PatchedFile, exists: FileExists): boolean {
  return does === 'delete' || ((does === 'add' || does === 'arrive') && exists(path));
}
