import { existsSync } from 'node:fs';

/** Returns why a program could not be started. If its working directory is missing, Node reports the program as missing. */
export function whyNotStarted(failure: Error, folder: string | undefined): string {
  return folder === undefined || existsSync(folder) ? failure.message : `the folder ${folder} does not exist`;
}
