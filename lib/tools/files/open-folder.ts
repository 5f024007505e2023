import { constants } from 'node:fs';
import type { Workspace } from '../workspace.ts';
import { openExact } from './open-exact.ts';

/** A folder that is open until `close`. */
export interface Folder {
  /** Its absolute path. */
  readonly real: string;
  /** Prefix of names in the folder for `node:fs`. It refers to this folder even if the folder is renamed. */
  readonly below: string;
  close(): Promise<void>;
}

/** Opens the folder `at` without following links. */
export async function openFolder(workspace: Workspace, at: string, real: string): Promise<Folder> {
  const handle = await openExact(workspace, at, real, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  const below = workspace.descriptors ? `${workspace.descriptors}/${handle.fd}` : real;
  return { real, below, close: () => handle.close() };
}
