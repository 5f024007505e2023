import type { Stats } from 'node:fs';

/** The fields that show whether a file has changed. `ctimeMs` cannot be set back. */
export interface Stamp {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
}

export function stampOf({ mtimeMs, ctimeMs, size }: Stats): Stamp {
  return { mtimeMs, ctimeMs, size };
}

/** Returns whether two stamps have the same state of a file. */
export function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size;
}
