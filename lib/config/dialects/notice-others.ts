import type { ConfigPath, Source } from '../source/source.ts';
import type { Findings } from './dialect.ts';

/** Says of each member of a whole settings file that stands outside what is read that it has no effect here. */
export function noticeOthers(source: Source, read: readonly string[], whose: string, { notices }: Findings): void {
  for (const key of Object.keys(source.value as object)) {
    if (read.includes(key)) continue;
    const path: ConfigPath = [key];
    const message = `a setting of ${whose} that has no effect here; only "${read[0]}" is read.`;
    notices.push({ file: source.file, ...source.placeOf(path, 'key'), path, message });
  }
}
