import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Writes beside a lock who holds it. It is for people only, so nothing depends on whether that works. */
export async function tellOwner(path: string): Promise<void> {
  const text = `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}`;
  await writeFile(ownerFile(path), text, { mode: 0o600 }).catch(() => {});
}

/** Who holds the lock of the file at `path`, in words. */
export async function ownerOf(path: string): Promise<string> {
  return (await readFile(ownerFile(path), 'utf8').catch(() => '')) || 'another process';
}

export async function forgetOwner(path: string): Promise<void> {
  await rm(ownerFile(path), { force: true }).catch(() => {});
}

function ownerFile(path: string): string {
  return `${path}.owner`;
}
