import { open, readFile } from 'node:fs/promises';
import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { RunLog } from './run-store.ts';

/** Logs as files of JSON lines, each with one writer. */
export interface LogFiles {
  append(path: string, entries: readonly JsonObject[], runId: string): Promise<void>;
  read(path: string, from: number): Promise<RunLog>;
}

/** Logs that are remembered to be ours, at most: far more than runs go on at a time. */
const MOST_OWN = 10_000;

export function createLogFiles(): LogFiles {
  /** How long each of our logs is, up to the end of its last whole line. */
  const own = new Map<string, number>();

  return {
    async append(path, entries, runId) {
      const length = own.get(path);
      // Whoever makes the file is its writer. Ours may have been removed since.
      const ours = length !== undefined && (await open(path, 'r+').catch(() => undefined));
      const start = ours ? length : 0;
      const opening = ours ? Promise.resolve(ours) : open(path, 'wx', 0o600);
      const file = await opening.catch((cause: NodeJS.ErrnoException) => {
        if (cause.code !== 'EEXIST') throw cause;
        const what = `The log of the run ${JSON.stringify(runId)} has another writer, another process on the same folder`;
        throw new HooklineError('STORE_CONFLICT', `${what}. Give each server a folder of its own, or another run id.`, {
          cause,
        });
      });
      try {
        const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
        for (let done = 0; done < bytes.length; ) {
          const { bytesWritten } = await file.write(bytes, done, bytes.length - done, start + done);
          done += bytesWritten;
        }
        own.delete(path);
        own.set(path, start + bytes.length);
      } catch (thrown) {
        own.set(path, start);
        // What is left of a line would not be one.
        await file.truncate(start).catch(() => {});
        throw thrown;
      } finally {
        await file.close();
      }
      const [oldest] = own.keys();
      if (own.size > MOST_OWN && oldest !== undefined) own.delete(oldest);
    },
    async read(path, from) {
      const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
        if (thrown.code === 'ENOENT') return '';
        throw thrown;
      });
      const lines = text.split('\n');
      // Behind the last line break stands nothing, unless the line was cut off.
      let cut = lines.pop() !== '';
      const parsed = lines.slice(from).map(parse);
      cut ||= parsed.includes(undefined);
      const entries = parsed.filter((entry) => entry !== undefined);
      return { entries, cut };
    },
  };
}

function parse(line: string): JsonObject | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? (entry as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
