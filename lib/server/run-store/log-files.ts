import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { syncFolder } from '../../store/documents/sync-folder.ts';
import { jsonLine } from '../../store/lines/json-line.ts';
import { countParts, exists, logPart, readParts, startOfPart } from './log-parts.ts';
import type { RunLog } from './run-store.ts';

/**
 * Logs as JSON Lines files, each with one writer. A process that takes over a log begins its next part. From then on, the earlier writer cannot add
 * to it, even if it was stopped in the middle of an addition.
 */
export interface LogFiles {
  append(path: string, entries: readonly JsonObject[], runId: string): Promise<void>;
  read(path: string, from: number): Promise<RunLog>;
  /** Makes this process the writer. Returns the log before; undefined if another process was faster. */
  takeOver(path: string): Promise<RunLog | undefined>;
  /** Throws `STORE_CONFLICT` if this process was the writer, and another one has taken over. */
  assertOwn(path: string, runId: string): Promise<void>;
  /** Returns false if there is no log. */
  remove(path: string): Promise<boolean>;
}

interface Own {
  readonly part: number;
  /** Length of the part up to the end of its last complete line. */
  readonly length: number;
}

/** Maximum number of logs that this process remembers as its own. It far exceeds the number of active runs. */
const MOST_OWN = 10_000;

/** With `flush`, an addition is on the disk when `append` resolves. */
export function createLogFiles(flush: boolean): LogFiles {
  const own = new Map<string, Own>();

  function keep(path: string, { part, length }: Own): void {
    own.delete(path);
    own.set(path, { part, length });
    const [oldest] = own.keys();
    if (own.size > MOST_OWN && oldest !== undefined) own.delete(oldest);
  }

  /** The process that creates a part is its writer. An own log may have been removed since, and then begins again. */
  async function openOwn(path: string, runId: string): Promise<Own & { readonly file: FileHandle }> {
    const known = own.get(path);
    const ours = known && (await open(logPart(path, known.part), 'r+').catch(() => undefined));
    if (ours) return { ...known, file: ours };
    try {
      const file = await open(path, 'wx', 0o600);
      if (flush) await syncFolder(dirname(path));
      return { part: 0, length: 0, file };
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      const what = `The log of the run ${JSON.stringify(runId)} has another writer, probably another process with the same directory`;
      const fix = 'Use a separate directory for each server, or another run ID.';
      throw new HooklineError('STORE_CONFLICT', `${what}. ${fix}`, { cause });
    }
  }

  async function write(file: FileHandle, text: string, start: number): Promise<number> {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, start + done);
      done += bytesWritten;
    }
    if (flush) await file.datasync();
    return start + bytes.length;
  }

  async function assertOwn(path: string, runId: string): Promise<void> {
    const known = own.get(path);
    if (known && (await exists(logPart(path, known.part + 1)))) throw takenOver(runId);
  }

  return {
    assertOwn,
    async append(path, entries, runId) {
      const { part, length, file } = await openOwn(path, runId);
      try {
        keep(path, { part, length: await write(file, entries.map(jsonLine).join(''), length) });
      } catch (thrown) {
        // Removes incomplete additions. If that fails, too, this process no longer writes the log.
        await file.truncate(length).then(
          () => keep(path, { part, length }),
          () => own.delete(path),
        );
        throw thrown;
      } finally {
        await file.close();
      }
      // Checked last: whoever takes over begins its part first, and then reads what is written.
      await assertOwn(path, runId);
    },
    read: async (path, from) => {
      const { entries, cut } = await readParts(path);
      return { entries: entries.slice(from), cut };
    },
    async takeOver(path) {
      const part = await countParts(path);
      const file = await open(logPart(path, part), 'wx', 0o600).catch((thrown: NodeJS.ErrnoException) => {
        if (thrown.code !== 'EEXIST') throw thrown;
        return undefined;
      });
      if (!file) return undefined;
      try {
        // Read after the new part exists: the earlier writer can no longer count on an addition.
        const log = await readParts(path);
        const start = part > 0 ? startOfPart(log.entries.length) : '';
        const mark = jsonLine({ takenOver: new Date().toISOString() });
        keep(path, { part, length: await write(file, start + mark, 0) });
        if (flush) await syncFolder(dirname(path));
        return log;
      } finally {
        await file.close();
      }
    },
    async remove(path) {
      own.delete(path);
      const count = await countParts(path);
      // From the last one, so that no part is without those before it.
      for (let part = count - 1; part >= 0; part -= 1) await rm(logPart(path, part), { force: true });
      return count > 0;
    },
  };
}

function takenOver(runId: string): HooklineError {
  const why = `Another process has taken over the run ${JSON.stringify(runId)}. It continues as another run ("resumedBy").`;
  return new HooklineError('STORE_CONFLICT', why);
}
