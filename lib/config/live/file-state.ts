import { statSync } from 'node:fs';

/** Tells two states of a file apart; `none` where there is no file, or nothing that could be one. */
export function fileState(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join('.');
  } catch {
    return 'none';
  }
}
