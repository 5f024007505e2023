import { open } from 'node:fs/promises';
import { HooklineError } from '../../errors.ts';
import { isObject } from '../../events/values/is-object.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { jsonLine, parseLine } from '../../store/lines/json-line.ts';
import { streamLines } from '../../store/lines/read-lines.ts';
import type { RunLog } from './run-store.ts';

/** Logs as JSON Lines files, each with one writer. */
export interface LogFiles {
  append(path: string, entries: readonly JsonObject[], runId: string): Promise<void>;
  read(path: string, from: number): Promise<RunLog>;
}

/** Maximum number of logs that this process remembers as its own. It far exceeds the number of active runs. */
const MOST_OWN = 10_000;

export function createLogFiles(): LogFiles {
  /** Length of each own log, up to the end of its last complete line. */
  const own = new Map<string, number>();

  return {
    async append(path, entries, runId) {
      const length = own.get(path);
      // The process that creates the file is its writer. An own file may have been removed since.
      const ours = length !== undefined && (await open(path, 'r+').catch(() => undefined));
      const start = ours ? length : 0;
      const opening = ours ? Promise.resolve(ours) : open(path, 'wx', 0o600);
      const file = await opening.catch((cause: NodeJS.ErrnoException) => {
        if (cause.code !== 'EEXIST') throw cause;
        const what = `The log of the run ${JSON.stringify(runId)} has another writer, probably another process with the same directory`;
        throw new HooklineError(
          'STORE_CONFLICT',
          `${what}. Use a separate directory for each server, or another run ID.`,
          {
            cause,
          },
        );
      });
      try {
        const bytes = Buffer.from(entries.map(jsonLine).join(''));
        for (let done = 0; done < bytes.length; ) {
          const { bytesWritten } = await file.write(bytes, done, bytes.length - done, start + done);
          done += bytesWritten;
        }
        own.delete(path);
        own.set(path, start + bytes.length);
      } catch (thrown) {
        own.set(path, start);
        // Removes the incomplete line.
        await file.truncate(start).catch(() => {});
        throw thrown;
      } finally {
        await file.close();
      }
      const [oldest] = own.keys();
      if (own.size > MOST_OWN && oldest !== undefined) own.delete(oldest);
    },
    async read(path, from) {
      const entries: JsonObject[] = [];
      let cut = false;
      try {
        for await (const line of streamLines(path)) {
          if (line.whole && line.number <= from) continue;
          const entry = line.whole && parseLine(line, () => undefined);
          if (isObject(entry)) entries.push(entry as JsonObject);
          else cut = true;
        }
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
      }
      return { entries, cut };
    },
  };
}
