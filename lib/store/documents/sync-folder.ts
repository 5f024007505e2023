import { open } from 'node:fs/promises';

/** Makes what was created, renamed or removed in a folder last, where the platform can do that for folders. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // Windows and some network file systems refuse it.
  } finally {
    await handle?.close();
  }
}
