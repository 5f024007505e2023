import { statSync } from 'node:fs';

/** Returns a string that identifies the state of a file. It is `none` if there is no such file. */
export function fileState(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join('.');
  } catch {
    return 'none';
  }
}
