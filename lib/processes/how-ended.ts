import { existsSync } from 'node:fs';
import type { Exit } from './spawn-group.ts';

/** Returns how a program ended: `exited with code 1`, `was killed by SIGTERM` or `could not be started: ..`. */
export function howEnded({ code, signal, failure }: Exit, folder: string | undefined): string {
  if (failure) return `could not be started: ${whyNotStarted(failure, folder)}`;
  return signal ? `was killed by ${signal}` : `exited with code ${code}`;
}

/** If the working directory of a program is missing, Node reports the program as missing. */
function whyNotStarted({ message }: Error, folder: string | undefined): string {
  return folder === undefined || existsSync(folder) ? message : `the folder ${folder} does not exist`;
}
