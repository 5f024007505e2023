/**
 * A process that works on a file store. `save` writes documents without end and prints each revision, `count` increments a counter the given number of times,
 * `hold` keeps the lock of the document while it is alive, and `leave` exits with the lock.
 */
import { join } from 'node:path';
import { HooklineError } from '../../../lib/errors.ts';
import { withFileLock } from '../../../lib/store/documents/file-lock.ts';
import { fileStore } from '../../../lib/store/documents/file-store.ts';

const [scenario, folder = '', argument] = process.argv.slice(2);
const store = fileStore(folder, { staleMs: 2_000, waitMs: 60_000 });

async function save(): Promise<void> {
  for (;;) {
    const value = { rows: Array.from({ length: 500 }, () => Math.random()) };
    const { revision } = await store.write(['saved'], { ...value, sum: value.rows.reduce((a, b) => a + b, 0) });
    console.log(revision);
  }
}

async function count(): Promise<void> {
  for (let left = Number(argument); left > 0; ) {
    const found = await store.read(['counter']);
    try {
      await store.write(['counter'], Number(found?.value ?? 0) + 1, { ifRevision: found?.revision ?? 0 });
      left -= 1;
    } catch (thrown) {
      if (!(thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT')) throw thrown;
    }
  }
}

async function hold(): Promise<void> {
  await store.write(['held'], 'first');
  await withFileLock(join(folder, 'held.json'), { staleMs: 2_000, waitMs: 1_000 }, async () => {
    console.log('held');
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });
}

async function leave(): Promise<void> {
  await store.write(['held'], 'first');
  await withFileLock(join(folder, 'held.json'), { staleMs: 2_000, waitMs: 1_000 }, async () => process.exit());
}

({ save, count, hold, leave })[scenario as 'save']();
