import { realpathSync, statSync } from 'node:fs';
import { HooklineError } from '../../errors.ts';

/**
 * The folder that tools work in: the one that was said, by `said` (default: the command line), else that of the configuration, else the current one. One
 * that is not there is `INPUT_INVALID`.
 */
export function workspaceOf(flag: string | undefined, configured: string | undefined, said = '--workspace'): string {
  const folder = flag ?? configured ?? '.';
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(folder);
  const what = flag === undefined ? 'The workspace of the configuration,' : said;
  throw new HooklineError('INPUT_INVALID', `${what} ${JSON.stringify(folder)}: there is no such directory.`);
}
