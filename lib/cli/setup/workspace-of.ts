import { realpathSync, statSync } from 'node:fs';
import { HooklineError } from '../../errors.ts';

/**
 * Returns the working directory of tools: the flag `option` (default: `--workspace`), else the configuration, else the current directory. A missing
 * directory is `INPUT_INVALID`.
 */
export function workspaceOf(flag: string | undefined, configured: string | undefined, option = '--workspace'): string {
  const folder = flag ?? configured ?? '.';
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(folder);
  const what = flag === undefined ? 'The workspace of the configuration,' : option;
  throw new HooklineError('INPUT_INVALID', `${what} ${JSON.stringify(folder)}: there is no such directory.`);
}
