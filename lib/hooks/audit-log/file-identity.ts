import type { Stats } from 'node:fs';

/** Tells one file from the next of the same name; numbers of inodes are used again. */
export function fileIdentity({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev} ${ino} ${birthtimeMs}`;
}
