import type { Stats } from 'node:fs';

/** Distinguishes files that used the same name. Inode numbers alone are reused. */
export function fileIdentity({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev} ${ino} ${birthtimeMs}`;
}
