import { readlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HooklineError } from '../../errors.ts';
import type { Workspace } from '../workspace.ts';
import { pathSegments } from './path-segments.ts';

/** Where the symbolic link `at` leads, as names from the workspace; undefined when it is no link, `PATH_OUTSIDE` when it leads out. */
export async function readDetour(
  workspace: Workspace,
  asked: string,
  link: readonly string[],
  at: string,
): Promise<string[] | undefined> {
  const target = await readlink(at).catch(ignoreNoLink);
  if (target === undefined) return undefined;
  const segments = pathSegments(workspace, resolve(workspace.root, ...link.slice(0, -1), target));
  if (segments) return segments;
  throw new HooklineError(
    'PATH_OUTSIDE',
    `${JSON.stringify(asked)} leads out of the workspace through the symbolic link ${JSON.stringify(link.join('/'))}. Use a path inside the workspace.`,
  );
}

function ignoreNoLink(error: NodeJS.ErrnoException): undefined {
  // Windows reports UNKNOWN for a file that is not a link.
  if (!['EINVAL', 'ENOENT', 'UNKNOWN'].includes(error.code ?? '')) throw error;
}
