import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HooklineError } from '../errors.ts';
import { fileRunStore } from '../server/run-store/file-run-store.ts';
import type { RunStore } from '../server/run-store/run-store.ts';

/**
 * Stores unsent additions in a folder, up to `maxBytes`. Further ones are `STORE_FAILED`, so that the recorder of the run keeps them in memory. No
 * addition is removed before it is sent.
 */
export function boundedSpill(folder: string, maxBytes: number): RunStore {
  const forever = Number.MAX_SAFE_INTEGER;
  const store = fileRunStore(folder, { keepBytes: forever, keepMs: forever });
  /** An estimate that is not too low: a replaced head counts until the bound is reached. */
  let size = sizeOf(folder);

  return {
    ...store,
    async append(key, addition) {
      const bytes = Buffer.byteLength(JSON.stringify(addition));
      if (size + bytes > maxBytes) size = sizeOf(folder);
      if (size + bytes > maxBytes) {
        const why = `it has ${size} of ${maxBytes} bytes. Further events wait in memory, until NATS is there`;
        throw new HooklineError(
          'STORE_FAILED',
          `The folder "${folder}" for events that wait for NATS is full: ${why}.`,
        );
      }
      size += bytes;
      await store.append(key, addition);
    },
    async remove(key) {
      const removed = await store.remove(key);
      size = sizeOf(folder);
      return removed;
    },
  };
}

/** The size of all files of a folder, in bytes. */
function sizeOf(folder: string): number {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  } catch {
    // It does not exist yet.
    return 0;
  }
}
