import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAlive } from '../../processes/is-alive.ts';
import { pidNamespace } from '../../processes/pid-namespace.ts';

/** Writes the owner of a lock to a file. Release and expiry of the lock do not depend on it. */
export async function writeOwner(path: string): Promise<void> {
  const text = `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}\n${pidNamespace()}`;
  await writeFile(ownerFile(path), text, { mode: 0o600 }).catch(() => {});
}

/** Describes the owner of the lock of the file at `path`. */
export async function ownerOf(path: string): Promise<string> {
  return (await textOf(path)).split('\n')[0] || 'another process';
}

export async function forgetOwner(path: string): Promise<void> {
  await rm(ownerFile(path), { force: true }).catch(() => {});
}

/** Whether the owner of `lock` has died: a process of this machine that wrote its owner file after the lock was created. */
export async function isOrphaned(path: string, lock: string): Promise<boolean> {
  const [line = '', of] = (await textOf(path)).split('\n');
  const [, pid, host] = /^process (\d+) on (.*) since \S+$/.exec(line) ?? [];
  if (pid === undefined || host !== hostname() || of !== pidNamespace() || isAlive(Number(pid))) return false;
  // An owner file older than the lock belongs to an earlier owner, and the current one may be alive.
  const [made, owner] = await Promise.all([stat(lock), stat(ownerFile(path))].map((one) => one.catch(() => undefined)));
  // File systems without a birth time report 0.
  return made !== undefined && made.birthtimeMs > 0 && owner !== undefined && owner.mtimeMs >= made.birthtimeMs;
}

async function textOf(path: string): Promise<string> {
  return readFile(ownerFile(path), 'utf8').catch(() => '');
}

function ownerFile(path: string): string {
  return `${path}.owner`;
}
