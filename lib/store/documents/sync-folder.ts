import { open } from 'node:fs/promises';

/** Flushes changes of a folder's entries to disk, if the platform supports it. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // Windows and some network file systems reject this.
  } finally {
    await handle?.close();
  }
}
