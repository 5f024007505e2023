import { readlinkSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAlive } from '../../processes/is-alive.ts';

/** Writes beside a lock who holds it. That a lock is released or becomes stale does not depend on it. */
export async function tellOwner(path: string): Promise<void> {
  const text = `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}\n${namespace()}`;
  await writeFile(ownerFile(path), text, { mode: 0o600 }).catch(() => {});
}

/** Who holds the lock of the file at `path`, in words. */
export async function ownerOf(path: string): Promise<string> {
  return (await textOf(path)).split('\n')[0] || 'another process';
}

export async function forgetOwner(path: string): Promise<void> {
  await rm(ownerFile(path), { force: true }).catch(() => {});
}

/** Whether the process that holds `lock` is known to have died: one of this machine, which has said so since the lock was made. */
export async function isOrphaned(path: string, lock: string): Promise<boolean> {
  const [said = '', of] = (await textOf(path)).split('\n');
  const [, pid, host] = /^process (\d+) on (.*) since \S+$/.exec(said) ?? [];
  if (pid === undefined || host !== hostname() || of !== namespace() || isAlive(Number(pid))) return false;
  // Before the lock it was another one's, and that one's owner may live.
  const [made, told] = await Promise.all([stat(lock), stat(ownerFile(path))].map((one) => one.catch(() => undefined)));
  // 0 is that of a file system that knows no time of birth.
  return made !== undefined && made.birthtimeMs > 0 && told !== undefined && told.mtimeMs >= made.birthtimeMs;
}

/** Processes of one number in two containers are two. */
function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

async function textOf(path: string): Promise<string> {
  return readFile(ownerFile(path), 'utf8').catch(() => '');
}

function ownerFile(path: string): string {
  return `${path}.owner`;
}
