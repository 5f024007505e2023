import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { HooklineError } from '../errors.ts';

/** The folder that tools may access. */
export interface Workspace {
  /** The folder's real, absolute path. */
  readonly root: string;
  /** The configured absolute path. It may contain symbolic links. */
  readonly named: string;
  /** The folder in which the system shows open descriptors as paths. Without it, races with other processes are less likely, but possible. */
  readonly descriptors: string | undefined;
}

const linuxDescriptors = '/proc/self/fd';

/** Options of every workspace tool. */
export const workspaceOptionsSchema = z.object({
  /** The workspace folder. It must exist. */
  root: z.string().min(1),
});

/** Resolves the folder once, so that a later replacement has no effect. Throws `OPTIONS_INVALID` if it does not exist. */
export function openWorkspace(root: string): Workspace {
  const named = resolve(root);
  if (!statSync(named, { throwIfNoEntry: false })?.isDirectory()) {
    throw new HooklineError('OPTIONS_INVALID', `root: ${JSON.stringify(root)} is not a directory; create it first.`);
  }
  const descriptors = process.platform === 'linux' && existsSync(linuxDescriptors) ? linuxDescriptors : undefined;
  return { root: realpathSync(named), named, descriptors };
}
