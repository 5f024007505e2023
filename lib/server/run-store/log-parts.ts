import { access } from 'node:fs/promises';
import { isObject } from '../../events/values/is-object.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { jsonLine, parseLine } from '../../store/lines/json-line.ts';
import { streamLines } from '../../store/lines/read-lines.ts';
import { unlessMissing } from './known-heads.ts';
import type { RunLog } from './run-store.ts';

/** Returns the file of a part of a log. Each take-over of the log at `path` begins a part. */
export function logPart(path: string, part: number): string {
  return part === 0 ? path : path.replace(/\.jsonl$/, `.${part}.jsonl`);
}

/** Returns the path of the log that a file is a part of. */
export function logOfPart(file: string): string {
  return file.replace(/\.\d{1,9}\.jsonl$/, '.jsonl');
}

export async function countParts(path: string): Promise<number> {
  for (let part = 0; ; part += 1) if (!(await exists(logPart(path, part)))) return part;
}

export async function exists(path: string): Promise<boolean> {
  return access(path)
    .then(() => true, unlessMissing)
    .then((found) => found === true);
}

/** The first line of a later part: how many entries before it count. The writer of the part before may have added more since. */
export function startOfPart(entries: number): string {
  return jsonLine([entries]);
}

/**
 * Reads all parts of a log. An incomplete last line is damage in the last part only: before a take-over, nobody counts on it.
 */
export async function readParts(path: string): Promise<RunLog> {
  const entries: JsonObject[] = [];
  let cut = false;
  const count = await countParts(path);
  for (let part = 0; part < count; part += 1) {
    for await (const line of streamLines(logPart(path, part))) {
      const value = line.whole ? parseLine(line, () => undefined) : undefined;
      if (isObject(value)) entries.push(value as JsonObject);
      else if (part > 0 && line.number === 1 && Array.isArray(value))
        entries.length = Math.min(entries.length, value[0]);
      else cut ||= line.whole || part === count - 1;
    }
  }
  return { entries, cut };
}
