import type { Stats } from 'node:fs';

/** What tells whether a file has changed. The second time is that of the entry: nobody puts it back. */
export interface Stamp {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
}

/** The stamp of a file. */
export function stampOf({ mtimeMs, ctimeMs, size }: Stats): Stamp {
  return { mtimeMs, ctimeMs, size };
}

/** Whether two stamps are of the same state of a file. */
export function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size;
}
