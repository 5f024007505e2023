import { HooklineError } from '../../errors.ts';
import type { Hook } from '../define/hook.ts';

/** The error of two tools that bear one name; `hook` brought the second, if one did. */
export function duplicateTool(where: string, name: string, hook?: Hook): HooklineError {
  const whose = hook ? `, one of them brought by hook "${hook.name}"` : '';
  return new HooklineError('HOOK_DUPLICATE', `Two tools are named "${name}"${whose} (${where}). Rename one of them.`);
}
