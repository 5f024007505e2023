import { constants } from 'node:fs';
import type { Workspace } from '../workspace.ts';
import { openExact } from './open-exact.ts';

/** A folder that is held open until `close`. */
export interface Folder {
  /** Its absolute path. */
  readonly real: string;
  /** What to put before a name in it for `node:fs`: it stays this folder, whatever becomes of the folder's own name. */
  readonly below: string;
  close(): Promise<void>;
}

/** Opens the folder that `at` names itself, never what a link leads to. */
export async function openFolder(workspace: Workspace, at: string, real: string): Promise<Folder> {
  const handle = await openExact(workspace, at, real, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  const below = workspace.descriptors ? `${workspace.descriptors}/${handle.fd}` : real;
  return { real, below, close: () => handle.close() };
}
