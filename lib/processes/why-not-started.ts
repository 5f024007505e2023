import { existsSync } from 'node:fs';

/** Why a program could not be started. Where its folder is missing, what Node says is that the program is. */
export function whyNotStarted(failure: Error, folder: string | undefined): string {
  return folder === undefined || existsSync(folder) ? failure.message : `the folder ${folder} does not exist`;
}
