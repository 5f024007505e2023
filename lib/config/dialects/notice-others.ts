import type { ConfigPath, Source } from '../source/source.ts';
import type { Findings } from './dialect.ts';

/** Adds a notice for each field of a settings file that is not read and has no effect. */
export function noticeOthers(source: Source, read: readonly string[], whose: string, { notices }: Findings): void {
  for (const key of Object.keys(source.value as object)) {
    if (read.includes(key)) continue;
    const path: ConfigPath = [key];
    const message = `a setting of ${whose} without effect in Hookline, which reads only "${read[0]}".`;
    notices.push({ file: source.file, ...source.placeOf(path, 'key'), path, message });
  }
}
