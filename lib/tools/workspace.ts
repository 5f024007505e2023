import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { HooklineError } from '../errors.ts';

/** The folder that tools may touch. */
export interface Workspace {
  /** The folder's real, absolute path. */
  readonly root: string;
  /** The absolute path that it was named by; it may go through symbolic links. */
  readonly named: string;
  /** Where the system shows open descriptors as paths; without it a race with another process is made narrow, not closed. */
  readonly descriptors: string | undefined;
}

const linuxDescriptors = '/proc/self/fd';

/** What every workspace tool is told. */
export const workspaceOptionsSchema = z.object({
  /** The workspace folder. It must exist. */
  root: z.string().min(1),
});

/** Looks at the folder once, so that a later exchange of it moves nothing; `OPTIONS_INVALID` when there is no such folder. */
export function openWorkspace(root: string): Workspace {
  const named = resolve(root);
  if (!statSync(named, { throwIfNoEntry: false })?.isDirectory()) {
    throw new HooklineError('OPTIONS_INVALID', `root: ${JSON.stringify(root)} is not a folder; create it first.`);
  }
  const descriptors = process.platform === 'linux' && existsSync(linuxDescriptors) ? linuxDescriptors : undefined;
  return { root: realpathSync(named), named, descriptors };
}
