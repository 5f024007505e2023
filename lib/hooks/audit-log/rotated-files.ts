import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/** A rotated file: `audit.2026-11-21.1.jsonl` of `audit.jsonl`. */
export interface RotatedFile {
  readonly path: string;
  /** The day of its first record, in UTC. */
  readonly date: string;
  /** From 1, for each day. */
  readonly number: number;
}

/** Lists the rotated files of the file at `path`, the oldest first. */
export function rotatedFiles(path: string): RotatedFile[] {
  const end = extname(path);
  const begin = `${basename(path, end)}.`;
  const found: RotatedFile[] = [];
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(begin) || !name.endsWith(end)) continue;
    const middle = name.slice(begin.length, name.length - end.length);
    const [, date = '', number] = /^(\d{4}-\d\d-\d\d)\.(\d{1,9})$/.exec(middle) ?? [];
    if (date) found.push({ path: join(dirname(path), name), date, number: Number(number) });
  }
  return found.sort((a, b) => (a.date === b.date ? a.number - b.number : a.date < b.date ? -1 : 1));
}

export function rotatedName(path: string, date: string, number: number): string {
  const end = extname(path);
  return join(dirname(path), `${basename(path, end)}.${date}.${number}${end}`);
}
